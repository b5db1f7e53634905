//! The `repo-map` binary: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    repo_map::cli::main()
}
