#!/bin/sh
# What `make hardware` needs: KiCad 6 and rsvg-convert from Debian, and .venv-hardware, which sees KiCad's pcbnew.
# As root where apt-get is, it installs what is missing; elsewhere it says the exact command and ends with 2.
set -e
wanted=""
/usr/bin/python3 -c "import pcbnew" 2>/dev/null || wanted="$wanted kicad kicad-footprints kicad-symbols python3-wxgtk4.0"
command -v rsvg-convert >/dev/null || wanted="$wanted librsvg2-bin"
/usr/bin/python3 -c "import venv, ensurepip" 2>/dev/null || wanted="$wanted python3-venv"
if [ -n "$wanted" ]; then
    order="apt-get install --no-install-recommends -y$wanted"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing:$wanted"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive $order -qq
    else
        echo "make hardware needs KiCad 6 and rsvg-convert. Run: sudo $order" >&2
        exit 2
    fi
fi
version=$(/usr/bin/python3 -c "import pcbnew; print(pcbnew.GetMajorMinorVersion())" 2>/dev/null)
case "$version" in
    6.*) ;;
    *) echo "make hardware is written for KiCad 6 (Debian 12's); here is ${version:-none}. Use Debian 12, or a container of it." >&2
       exit 2 ;;
esac
if [ ! -f .venv-hardware/.installed ] || [ pyproject.toml -nt .venv-hardware/.installed ]; then
    /usr/bin/python3 -m venv --system-site-packages .venv-hardware
    .venv-hardware/bin/python -m pip install --quiet -e '.[hardware]'
    touch .venv-hardware/.installed
fi
