//! Addresses: which of them belong to the public internet.
//!
//! A page that names an address, or a name that resolves to one, must not make us ask the machine
//! we run on or its neighbours. The question is put the safe way round: an address is public when
//! no registry says otherwise.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether the address belongs to the public internet: not private, loopback, link-local, shared,
/// reserved or multicast.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// The ranges of IANA's special-purpose registry that are not reachable from everywhere, with their
/// prefix lengths.
const SPECIAL_V4: [([u8; 4], u32); 15] = [
    ([0, 0, 0, 0], 8),       // this network, and the unspecified address
    ([10, 0, 0, 0], 8),      // private
    ([100, 64, 0, 0], 10),   // shared among a provider's customers (CGNAT)
    ([127, 0, 0, 0], 8),     // loopback
    ([169, 254, 0, 0], 16),  // link-local, where clouds keep their metadata
    ([172, 16, 0, 0], 12),   // private
    ([192, 0, 0, 0], 24),    // protocol assignments
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 88, 99, 0], 24),  // relays of 6to4, deprecated
    ([192, 168, 0, 0], 16),  // private
    ([198, 18, 0, 0], 15),   // benchmarks
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 4),     // multicast
    ([240, 0, 0, 0], 4),     // reserved, and the broadcast address
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !SPECIAL_V4
        .iter()
        .any(|&(start, length)| (bits ^ Ipv4Addr::from(start).to_bits()) >> (32 - length) == 0)
}

/// Ranges inside of the global unicast space (`2000::/3`) that lead elsewhere, with their prefix
/// lengths.
const SPECIAL_V6: [([u16; 3], u32); 4] = [
    ([0x2001, 0, 0], 23),     // protocol assignments, Teredo among them
    ([0x2001, 0xdb8, 0], 32), // documentation
    ([0x2002, 0, 0], 16),     // 6to4, which wraps any IPv4 address and which no site uses
    ([0x3fff, 0, 0], 20),     // documentation
];

/// Addresses that wrap an IPv4 address in other ways (`::ffff:0:0/96`, `::/96`, `64:ff9b:1::/48`),
/// unique-local, link-local, site-local and multicast ones all lie outside of the global unicast
/// space.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    if segments[..6] == [0x64, 0xff9b, 0, 0, 0, 0] {
        // Where a network has no IPv4 of its own, every IPv4 site has such an address; what counts
        // is the one within.
        return is_public_v4(Ipv4Addr::from_bits(address.to_bits() as u32));
    }
    let bits = address.to_bits();
    let is_special = SPECIAL_V6.iter().any(|&([first, second, third], length)| {
        let start = Ipv6Addr::new(first, second, third, 0, 0, 0, 0, 0).to_bits();
        (bits ^ start) >> (128 - length) == 0
    });
    segments[0] >> 13 == 1 && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_all(addresses: &str, expected: bool) {
        for address in addresses.split_whitespace() {
            let parsed = address.parse().expect("an address");
            assert_eq!(is_public(parsed), expected, "{address}");
        }
    }

    #[test]
    fn public_v4() {
        check_all(
            "1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255
             128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0
             192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255
             198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255",
            true,
        );
    }

    #[test]
    fn special_v4() {
        check_all(
            "0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255 127.0.0.0
             127.0.0.1 127.1.2.3 127.255.255.255 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255
             192.0.0.0 192.0.0.8 192.0.0.170 192.0.0.255 192.0.2.0 192.0.2.255 192.88.99.1 192.168.0.0 192.168.255.255
             198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 224.0.0.251
             239.255.255.255 240.0.0.0 255.255.255.254 255.255.255.255",
            false,
        );
    }

    #[test]
    fn public_v6() {
        check_all(
            "2001:200:: 2001:4860:4860::8888 2001:db7:: 2001:db9:: 2003:: 2606:4700:4700::1111 2a00:1450:4001:81b::200e
             3ffe:: 3fff:1000:: 64:ff9b::8.8.8.8 64:ff9b::101:101",
            true,
        );
    }

    #[test]
    fn special_v6() {
        check_all(
            ":: ::1 ::2 ::127.0.0.1 ::8.8.8.8 ::ffff:0:0 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254
             ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::10.1.2.3 64:ff9b::169.254.169.254
             64:ff9b::c0a8:1 64:ff9b:1::8.8.8.8 64:ff9b:1::127.0.0.1 64:ff9b:0:1::8.8.8.8 100:: 100::1 2001:: 2001:0:1::1
             2001:2::1 2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8:: 2001:db8:ffff::1 2002:: 2002:7f00:1::
             2002:a00:1::1 2002:c0a8:101::1 2002:808:808::1 3fff:: 3fff:fff:ffff::1 4000:: 5f00:: fc00:: fc00::1
             fd00:ec2::254 fdff:ffff::1 fe80:: fe80::1 fe80::5efe:127.0.0.1 febf::1 fec0::1 ff00:: ff02::1 ff0e::1
             ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            false,
        );
    }
}
