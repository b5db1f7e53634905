//! The `site-map` binary: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    site_map::cli::main()
}
