# What ./threadproof and ./test share: the packages they need, and how to get them. To be sourced; expects $root.

rust_wanted=95 # of 1.95: `rust-version` in Cargo.toml
packages_to_build="gcc g++ libc6-dev llvm-22-dev clang-22 ca-certificates"
packages_to_run="clang-22 libc6-dev" # for C++ also libc++-22-dev and libc++abi-22-dev: an error message says so
packages_to_test="gcc-multilib g++-multilib python3-venv libc++-22-dev libc++abi-22-dev"
benchexec="benchexec==3.35"

say() {
    printf '%s\n' "$*" >&2
}

is_debian() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null
}

# The packages of the arguments that are not installed.
missing_packages() {
    installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package} \n' "$@" 2>/dev/null || true)
    for package in "$@"; do
        case $installed in
            *"ii $package "*) ;;
            *) printf '%s ' "$package" ;;
        esac
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        say "error: this has to be done as root, and there is no sudo: $*"
        exit 1
    fi
}

install_packages() {
    say "installing: $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2
    for package in "$@"; do
        if ! apt-cache policy "$package" | grep -q 'Candidate: [^(]'; then
            say "error: this release has no package $package. The makers of LLVM publish clang-22 and llvm-22-dev for"
            say "other releases of Debian and Ubuntu: add their packages to apt, then run this again."
            exit 1
        fi
    done
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# Returns only when all packages of the arguments are installed.
need_packages() {
    if is_debian; then
        missing=$(missing_packages "$@")
        [ -z "$missing" ] || install_packages $missing
    elif ! have_tools; then
        say "error: this system has no apt-get. Install clang 22, the development files of LLVM 22"
        say "(llvm-config of version 22 in the PATH, or LLVM_SYS_221_PREFIX set to its directory), a C compiler"
        say "and the headers of the C library; ./test also needs the 32-bit C library. Then run this again."
        exit 1
    fi
}

# Elsewhere packages have other names: what counts is that the commands are there.
have_tools() {
    command -v clang-22 >/dev/null && command -v cc >/dev/null
}

# Whether cargo is new enough and has the subcommands of the arguments.
has_cargo() {
    minor=$(cargo --version 2>/dev/null | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
    [ "${minor:-0}" -ge "$rust_wanted" ] || return 1
    for command in "$@"; do
        cargo "$command" --version >/dev/null 2>&1 || return 1
    done
}

# The first set of Debian's packages that is new enough: `rustc` of Debian 12 is not, its `rustc-web` is.
rust_packages() {
    for packages in "rustc cargo rustfmt rust-clippy" "rustc-web cargo-web rustfmt-web rust-web-clippy"; do
        candidate=$(apt-cache policy "${packages%% *}" | sed -n 's/^ *Candidate: 1\.\([0-9]*\)\..*/\1/p')
        if [ "${candidate:-0}" -ge "$rust_wanted" ]; then
            printf '%s' "$packages"
            return
        fi
    done
}

# Returns only when there is a cargo with the subcommands of the arguments.
need_cargo() {
    has_cargo "$@" && return
    PATH=$PATH:$HOME/.cargo/bin
    has_cargo "$@" && return
    # A Rust from elsewhere is left alone.
    if is_debian && ! command -v rustup >/dev/null; then
        packages=$(rust_packages)
        [ -z "$packages" ] || install_packages $packages
        has_cargo "$@" && return
    fi
    say "error: Rust 1.$rust_wanted or newer is needed, with rustfmt and clippy for ./test. Install it with rustup"
    say "(https://rustup.rs), then run this again."
    exit 1
}

# A source that is newer than the file, if there is one.
newer_than() {
    find "$root/Cargo.toml" "$root/Cargo.lock" "$root/.cargo" "$root/crates" "$root/models" \
        -path '*/tests' -prune -o -newer "$1" -print 2>/dev/null | head -n 1
}

# Sets $python to one that has BenchExec, in the build folder.
need_benchexec() {
    python=${CARGO_TARGET_DIR:-$root/target}/benchexec/bin/python
    if ! "$python" -c 'import benchexec' 2>/dev/null; then
        say "installing: $benchexec"
        python3 -m venv "${python%/bin/python}" && "$python" -m pip install --quiet "$benchexec" >&2
    fi
}
