//! Addresses of servers as they may be shown.

use url::Url;

/// The address of a server as it may be shown.
pub fn without_password(address: &str) -> String {
    match Url::parse(address) {
        Ok(mut url) => {
            if url.password().is_some() {
                // An address that holds a password may be given another one.
                let _ = url.set_password(None);
            }
            let kept: Vec<(String, String)> = url
                .query_pairs()
                .filter(|(name, _)| name != "password")
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect();
            if url.query().is_some() {
                url.query_pairs_mut().clear().extend_pairs(kept);
            }
            url.to_string()
        }
        Err(_) => "the address".to_owned(),
    }
}
