# Sourced by the hooks. Git runs hooks in the bare repository's folder.

setting() { git config --get "publish.$1" || printf '%s\n' "$2"; }

repository=$(pwd)
branch=$(setting branch main)
work=$(setting work "$repository/publish")
node=$(setting node node)

# Writes commit $1 into its own folder ($tree) and installs its packages, including Bun ($bun).
# Packages are in the parent folder, where Bun also looks. Each lock file has its own parent folder,
# so two simultaneous pushes never write into the same one.
checkout() {
  packages=$(git rev-parse "$1:package.json" "$1:bun.lock" | git hash-object --stdin)
  home="$work/$packages"
  tree="$home/push-$$"
  mkdir -p "$tree" "$home/deploy" || exit 1
  trap 'rm -rf "$tree"' EXIT
  trap 'exit 1' HUP INT TERM
  git archive "$1" | tar -x -C "$tree" || exit 1
  for file in package.json bun.lock bunfig.toml deploy/install.mjs; do
    [ ! -f "$tree/$file" ] || cp "$tree/$file" "$home/$file"
  done
  # The pusher sees the installation's output. Bun's path is written to file descriptor 3.
  bun=$(cd "$home" && "$node" --input-type=module -e '
    import { writeSync } from "node:fs"
    import { install } from "./deploy/install.mjs"
    writeSync(3, await install())' 3>&1 1>&2)
  find "$work" -mindepth 1 -maxdepth 1 -type d -mtime +30 ! -name "$packages" -exec rm -rf {} +
}

# Runs a script from that commit, without the variables that Git sets for hooks.
run() {
  (
    unset GIT_DIR GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
    cd "$tree"
    exec "$bun" "$@"
  )
}
