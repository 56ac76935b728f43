# Makes a virtual environment hold what a lock file names; sourced by the commands in bin/.

# Containers often set this, to stay small. Without what Python keeps of compiled modules, each of the processes that
# tests and commands start would compile the whole site again.
unset PYTHONDONTWRITEBYTECODE

find_python() {
  local candidate
  for candidate in python3.11 python3 python; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "Python 3.11 or newer is needed, and none was found on the PATH." >&2
  return 1
}

# environment FOLDER LOCK [OTHER LOCK...]: installs LOCK into FOLDER, unless it or one of the others, which hold all of
# it too, is what was installed there last.
environment() {
  local folder=$1 lock=$2 each python
  shift
  if "$folder/bin/python" -c '' 2>/dev/null; then
    for each in "$@"; do
      cmp -s "$each" "$folder/$each" && return
    done
  fi
  if ! "$folder/bin/python" -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    "$python" -m venv --clear "$folder"
  fi
  echo "Installing $lock into $folder"
  rm -f "$folder"/requirements*.txt
  "$folder/bin/python" -m pip install -qq --disable-pip-version-check --require-hashes -r "$lock"
  cp "$lock" "$folder/"
}
