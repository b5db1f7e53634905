//! The `navigator` binary: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    navigator::cli::main()
}
