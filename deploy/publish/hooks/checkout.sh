# Sourced by the hooks, which git runs in the folder of the bare repository.

setting() { git config --get "publish.$1" || printf '%s\n' "$2"; }

repository=$(pwd)
branch=$(setting branch main)
work=$(setting work "$repository/publish")
node=$(setting node node)

# Writes the commit $1 into a folder of its own ($tree) and installs its packages ($bun is the Bun
# among them). Packages are one folder higher, where Bun looks next, in one folder for each lock file,
# so that two pushes at once never write into the same folder.
checkout() {
  packages=$(git rev-parse "$1:package.json" "$1:bun.lock" | git hash-object --stdin)
  home="$work/$packages"
  tree="$home/push-$$"
  mkdir -p "$tree" "$home/deploy"
  trap 'rm -rf "$tree"' EXIT
  trap 'exit 1' HUP INT TERM
  git archive "$1" | tar -x -C "$tree"
  for file in package.json bun.lock bunfig.toml deploy/install.mjs; do
    [ ! -f "$tree/$file" ] || cp "$tree/$file" "$home/$file"
  done
  # What the installation prints is for the pusher; the path of Bun comes through a third channel.
  bun=$(cd "$home" && "$node" --input-type=module -e '
    import { writeSync } from "node:fs"
    import { install } from "./deploy/install.mjs"
    writeSync(3, await install())' 3>&1 1>&2)
  find "$work" -mindepth 1 -maxdepth 1 -type d -mtime +30 ! -name "$packages" -exec rm -rf {} +
}

# Runs a script of that commit, without the settings that git gives its hooks.
run() {
  (
    unset GIT_DIR GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
    cd "$tree"
    exec "$bun" "$@"
  )
}
