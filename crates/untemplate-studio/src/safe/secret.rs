//! Numbers that nobody guesses.

use ring::rand::{SecureRandom, SystemRandom};

/// Bytes of a secret: as many as cannot be tried out.
const BYTES: usize = 16;

/// A new secret, as letters that an address may hold; `None` when the system gives no random
/// numbers.
pub fn new_secret() -> Option<String> {
    let mut bytes = [0; BYTES];
    SystemRandom::new().fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
pub fn is_same(left: &str, right: &str) -> bool {
    let difference = left.bytes().zip(right.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    left.len() == right.len() && difference == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_and_never_the_same() {
        let (one, other) = (
            new_secret().expect("random numbers"),
            new_secret().expect("random numbers"),
        );
        assert_eq!(one.len(), 2 * BYTES);
        assert!(is_same(&one, &one.clone()) && !is_same(&one, &other) && !is_same(&one, &one[1..]));
    }
}
