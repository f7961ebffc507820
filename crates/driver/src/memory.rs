//! How much memory this process takes and how much there is, as Linux tells it. Elsewhere nothing is known, and nothing
//! is limited.

/// Bytes of this process that are in memory now.
pub fn resident() -> Option<u64> {
    bytes("/proc/self/status", "VmRSS:")
}

/// The most that this process has had in memory.
pub fn peak() -> Option<u64> {
    bytes("/proc/self/status", "VmHWM:")
}

/// Bytes that a new program can have without the machine running out.
pub fn available() -> Option<u64> {
    bytes("/proc/meminfo", "MemAvailable:")
}

fn bytes(file: &str, key: &str) -> Option<u64> {
    field(&std::fs::read_to_string(file).ok()?, key)
}

/// The value of a line such as `VmRSS: 5120 kB`.
fn field(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields() {
        let text = "Name:\tthreadproof\nVmHWM:\t    5120 kB\nThreads:\t1\n";
        assert_eq!(field(text, "VmHWM:"), Some(5120 * 1024));
        assert_eq!(field(text, "Threads:"), None);
        assert_eq!(field(text, "VmRSS:"), None);
    }
}
