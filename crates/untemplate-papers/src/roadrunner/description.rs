//! Description length: how well an expression says what its pages say.
//!
//! The code of the later system: a token costs 8 bits and the logarithm of their number, a
//! character 3 bits, a count n 2(⌈log2 n⌉ + 1) bits. The ratio of expression and instances to the
//! pages told one by one is below 1 when something was learnt; of two expressions the one with the
//! lower ratio is the better.

use super::expression::Expression;
use super::parse::parse_whole;
use super::token::{Symbol, SymbolKind};

/// The ratio for pages that match; texts are given by their length.
pub(super) fn ratio(list: &[Expression], pages: &[&[Symbol]], text_lengths: &[Vec<usize>], fields: &[bool]) -> f64 {
    let token_bits = 8.0
        + (pages.iter().map(|page| page.len()).sum::<usize>().max(1) as f64)
            .log2()
            .ceil();
    let mut told = n_nodes(list) as f64 * token_bits;
    let mut raw = 0.0;
    for (symbols, lengths) in pages.iter().zip(text_lengths) {
        raw += page_bits(symbols, lengths, token_bits);
        let (is_matched, parse) = parse_whole(list, symbols);
        if !is_matched {
            told += page_bits(symbols, lengths, token_bits);
            continue;
        }
        let is_field = |number: &usize| fields.get(*number).copied().unwrap_or(true);
        let texts = parse.texts().filter(|(number, _)| is_field(number));
        told += texts
            .map(|(_, token)| 3.0 * lengths[token] as f64 + count_bits(1))
            .sum::<f64>();
        for (_, start, end) in &parse.slices {
            told += page_bits(&symbols[*start..*end], &lengths[*start..*end], token_bits);
        }
    }
    if raw == 0.0 { 1.0 } else { told / raw }
}

fn count_bits(n: usize) -> f64 {
    if n == 0 {
        1.0
    } else {
        2.0 * ((n as f64).log2().ceil() + 1.0)
    }
}

fn page_bits(symbols: &[Symbol], lengths: &[usize], token_bits: f64) -> f64 {
    let bits = symbols.iter().zip(lengths).map(|(symbol, length)| match symbol.kind {
        SymbolKind::Text => 3.0 * *length as f64,
        _ => token_bits,
    });
    bits.sum()
}

fn n_nodes(list: &[Expression]) -> usize {
    list.iter()
        .map(|expression| match expression {
            Expression::Optional(body) | Expression::Repeat(body) => 1 + n_nodes(body),
            _ => 1,
        })
        .sum()
}
