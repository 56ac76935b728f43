# Makes an image from the Dockerfile without pulling its base; sourced by bin/image, which sets `scratch` and `storage`.

# As the Dockerfile names it: Python’s version and Debian’s release.
base=$(sed -n 's/^FROM \(python:\S*\).*/\1/p' Dockerfile | sort -u)
python=${base#python:} python=${python%%-*} release=${base##*-}
# The release of Debian whose Python that is.
release_of_python=bookworm
# Where Debian keeps the certificates that a machine trusts.
certificates=/etc/ssl/certs/ca-certificates.crt

install_tools() {
  command -v buildah >/dev/null && command -v mmdebstrap >/dev/null && return
  apt-get update -qq && apt-get install -y -qq --no-install-recommends buildah mmdebstrap >/dev/null
}

# The mirror that this machine uses.
find_mirror() {
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -1)
  mirror=${mirror:-http://deb.debian.org/debian}
  /usr/lib/apt/apt-helper download-file "${mirror%/}/dists/$release/Release" "$scratch/Release" >/dev/null 2>&1
}

# A stand-in for the base: Debian’s packages of that release, with the Python of another and its headers. It keeps how
# this machine reaches the mirror.
make_base() {
  local container folder
  container=$(buildah "${storage[@]}" from scratch)
  folder=$(buildah "${storage[@]}" mount "$container")
  apt-config dump | grep -E '^Acquire::(https?|Check)' >"$scratch/apt.conf" || true
  printf '%s\n' 'Package: python3* libpython3*' "Pin: release n=$release_of_python" 'Pin-Priority: 900' >"$scratch/pin"
  mmdebstrap --quiet --variant=minbase --include="ca-certificates,libpython$python-dev,netbase,python3-venv,tzdata" \
    --aptopt="$scratch/apt.conf" \
    --setup-hook="cp $scratch/pin \"\$1/etc/apt/preferences.d/python\"" \
    --customize-hook='ln -s /usr/bin/python3 "$1/usr/local/bin/python"' \
    --customize-hook='rm "$1/etc/apt/preferences.d/python"' \
    --customize-hook="sed -i '/ $release_of_python /d' \"\$1/etc/apt/sources.list\"" \
    "$release" "$folder" "deb $mirror $release main" "deb $mirror $release_of_python main"
  if [[ $(chroot "$folder" python --version) != "Python $python."* ]]; then
    echo "Debian’s $release_of_python has another Python than $base: name the release that has it in ${BASH_SOURCE[0]}." >&2
    exit 1
  fi
  base_size=$(du -sm "$folder" | cut -f1)
  buildah "${storage[@]}" commit --quiet --rm "$container" "docker.io/library/$base" >/dev/null
}

# The Dockerfile as it is. Pip reaches its registry as it does on this machine; nothing of that stays in the image.
build_image() {
  local volumes=(--volume "$scratch/pip.conf:/etc/pip.conf:ro")
  [ ! -f "$certificates" ] || volumes+=(--volume "$certificates:$certificates:ro")
  .venv/bin/python bin/lib/pip_settings.py "$certificates" >"$scratch/pip.conf"
  buildah "${storage[@]}" bud --isolation chroot --pull-never "${volumes[@]}" --tag foothold .
}
