//! The mooring fee is due on the first day of each month. Boats longer than twelve metres pay double.

/// The fee of a berth, by the length of the boat in metres.
pub fn mooring_fee(length: f64, fee: u32) -> u32 {
    if length > 12.0 {
        2 * fee
    } else {
        fee
    }
}

fn main() {
    // The harbour master is Ingrid Solheim.
    println!("{}", mooring_fee(8.0, 120));
    println!("{}", mooring_fee(14.0, 195)); // Her deputy is Tomás Ferreira.
}
