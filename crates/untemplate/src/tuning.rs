//! Numbers that decide, by name, so that `cargo xtask eval --sweep` can try others without a build.

/// Gives a `Tuning` struct a function `set`, which takes the name of a field and its value. All
/// fields are named, those that are no numbers behind a `;`: a new one is not forgotten.
macro_rules! settable {
    ($tuning:ident { $($number:ident),+ $(; $other:ident)* }) => {
        impl $tuning {
            /// Sets the number of this name, cut to whole ones where it counts; false where there
            /// is none.
            pub fn set(&mut self, name: &str, value: f64) -> bool {
                let Self { $($number,)+ $($other: _,)* } = self;
                match name {
                    $(stringify!($number) => *$number = value as _,)+
                    _ => return false,
                }
                true
            }
        }
    };
}

pub(crate) use settable;
