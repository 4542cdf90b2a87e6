// SPDX-License-Identifier: Apache-2.0
//! The part of opprof's C interface that a plugin in Rust needs, ABI 0.3. No panic may cross it into C: build
//! with -C panic=abort.
#![allow(dead_code, non_snake_case)]
use std::os::raw::{c_char, c_double, c_void};

pub const OK: i32 = 0;
pub const END: i32 = 1;
pub const E_ARGUMENT: i32 = 16;
pub const E_MEMORY: i32 = 17;
pub const E_IO: i32 = 18;
pub const E_DATA: i32 = 19;
pub const COLLECTOR: u32 = 1;
pub const PARSER: u32 = 2;
pub const ANALYSIS: u32 = 3;
pub const EXPORTER: u32 = 4;
// Kinds of fields.
pub const U32: u32 = 1;
pub const I32: u32 = 2;
pub const U64: u32 = 3;
pub const I64: u32 = 4;
pub const F64: u32 = 5;
pub const HEX: u32 = 6;
pub const TICK: u32 = 7;
pub const STRING: u32 = 8;
pub const TEXT: u32 = 9;
pub const TRACK: u32 = 10;
pub const I16: u32 = 11;
// Flags of fields, how rows combine, flags of record types and ports.
pub const HIDDEN: u32 = 1;
pub const KEY: u32 = 2;
pub const WEIGHT: u32 = 8;
pub const MOMENT: u32 = 256;
pub const MEMBER: u32 = 512;
pub const COMBINE_SUM: u32 = 1;
pub const COMBINE_LONGEST: u32 = 2;
pub const COMBINE_MEAN: u32 = 3;
pub const COMBINE_NONE: u32 = 4;
pub const TABLE: u32 = 1;
pub const SUMMARY: u32 = 4;
pub const MANY: u32 = 1;
pub const OPTIONAL: u32 = 2;
// Kinds of parameters.
pub const PARAM_BOOL: u32 = 1;
pub const PARAM_INT: u32 = 2;
pub const PARAM_DOUBLE: u32 = 3;
pub const PARAM_STRING: u32 = 4;
pub const PARAM_CHOICE: u32 = 5;
pub const PARAM_SIZE: u32 = 6;
pub const PARAM_DURATION: u32 = 7;
pub const PARAM_PATH: u32 = 8;
pub const PARAM_LIST: u32 = 9;
pub const REQUIRED: u32 = 1;
// Kinds of spans, severities of advice, flags of tracks.
pub const SPAN_SLICE: u32 = 1;
pub const SPAN_MARK: u32 = 4;
pub const NOTE: u32 = 0;
pub const HINT: u32 = 1;
pub const PROBLEM: u32 = 2;
pub const TRACK_LABELS: u32 = 8;
// Absent values.
pub const NA_STRING: u32 = 0;
pub const NA_U32: u32 = u32::MAX; // also of a track and of the offset of a text
pub const NA_U64: u64 = u64::MAX; // also of a tick
pub const NA_F64: u64 = 0x7ff8_0000_000a_0a0a; // the bits of the absent double

/// A constant table that C reads. Its pointers prevent Rust from making it Send and Sync by itself.
#[repr(transparent)]
pub struct Table<T>(pub T);
unsafe impl<T> Sync for Table<T> {}

/// "text\0", a text for C.
#[macro_export]
macro_rules! c { ($text:expr) => { concat!($text, "\0").as_ptr() as *const std::os::raw::c_char }; }
pub const NONE: *const c_char = std::ptr::null();

#[repr(C)] pub struct Stage { _private: [u8; 0] }
#[repr(C)] pub struct Params { _private: [u8; 0] }
#[repr(C)] pub struct OutputFile { _private: [u8; 0] }
pub type Error = *mut c_void;

#[repr(C)] pub struct Field { pub name: *const c_char, pub kind: u32, pub offset: u32, pub unit: *const c_char, pub meaning: *const c_char,
    pub absent: *const c_char, pub heading: *const c_char, pub decimals: u32, pub flags: u32, pub combine: u32 }
#[repr(C)] pub struct RecordType { pub struct_size: u32, pub version: u32, pub name: *const c_char, pub summary: *const c_char, pub size: u32,
    pub flags: u32, pub fields: *const Field, pub field_count: u32, pub title: *const c_char, pub file_hint: *const c_char,
    pub elements: *const c_void }
#[repr(C)] pub struct Batch { pub kind: *const RecordType, pub records: *const u8, pub blob: *const u8, pub count: u32, pub capacity: u32,
    pub blob_size: u32, pub blob_capacity: u32, pub partition: u32, pub clock: u32, pub sequence: u64, pub watermark: u64 }
/// Bytes in the blob of a batch: from OpprofStageText.
#[repr(C)] #[derive(Clone, Copy)] pub struct Text { pub offset: u32, pub length: u32 }
pub const NO_TEXT: Text = Text { offset: NA_U32, length: 0 };
/// Ticks of a source; OpprofStageClock gives its number.
#[repr(C)] pub struct Clock { pub name: *const c_char, pub hz: u64, pub offset_ps: i64, pub epoch_ns: i64 }
/// A line of a timeline; OpprofStageTrack gives its number.
#[repr(C)] pub struct Track { pub document: *const c_char, pub process: *const c_char, pub process_name: *const c_char,
    pub thread: *const c_char, pub thread_name: *const c_char, pub process_sort: i32, pub thread_sort: i32, pub flags: u32 }
/// A record of opprof_span_type. Those without arguments, id and group have arg_count 0 and NO_TEXT.
#[repr(C)] pub struct Span { pub start: u64, pub duration: u64, pub track: u32, pub kind: u32, pub name: u32, pub category: u32, pub colour: u32,
    pub arg_count: u32, pub args: Text, pub id: Text, pub group: Text }
/// Advice in texts for OpprofStageAdvise, copied there; NONE and 0.0 where nothing is known.
#[repr(C)] pub struct AdviceText { pub severity: u32, pub topic: *const c_char, pub subject: *const c_char, pub sentence: *const c_char,
    pub numbers: *const c_char, pub file: *const c_char, pub column: *const c_char, pub unit: *const c_char, pub value: c_double,
    pub gain: c_double, pub rule: *const c_char, pub todo: *const c_char, pub gain_us: c_double, pub whole_us: c_double,
    pub from_table: *const c_char, pub track: *const c_char, pub start_us: c_double }
#[repr(C)] pub struct Port { pub name: *const c_char, pub kind: *const c_char, pub record_type: *const RecordType, pub flags: u32, pub order: u32,
    pub batch_records: u32, pub summary: *const c_char }
#[repr(C)] pub struct Param { pub name: *const c_char, pub kind: u32, pub flags: u32, pub default_value: *const c_char, pub min: c_double,
    pub max: c_double, pub choices: *const *const c_char, pub unit: *const c_char, pub summary: *const c_char }
pub type Call = unsafe extern "C" fn(*mut c_void, *mut Error) -> i32;
#[repr(C)] pub struct Ops { pub struct_size: u32, pub reserved: u32,
    pub create: Option<unsafe extern "C" fn(*mut Stage, *mut *mut c_void, *mut Error) -> i32>,
    pub configure: Option<unsafe extern "C" fn(*mut c_void, *const Params, *mut Error) -> i32>,
    pub start: Option<Call>,
    pub process: Option<unsafe extern "C" fn(*mut c_void, u32, *const Batch, *mut Error) -> i32>,
    pub flush: Option<Call>, pub stop: Option<Call>, pub destroy: Option<unsafe extern "C" fn(*mut c_void)>, pub explain: Option<Call> }
#[repr(C)] pub struct Plugin { pub struct_size: u32, pub abi_major: u16, pub abi_minor: u16, pub name: *const c_char, pub version: *const c_char,
    pub license: *const c_char, pub summary: *const c_char, pub help: *const c_char, pub kind: u32, pub flags: u32, pub inputs: *const Port,
    pub outputs: *const Port, pub params: *const Param, pub input_count: u32, pub output_count: u32, pub param_count: u32, pub reserved: u32,
    pub ops: *const Ops, pub chip_sections: *const c_void, pub input_kinds: *const c_void, pub chip_tables: *const c_void }
const _: () = assert!(std::mem::size_of::<Plugin>() == 128 && std::mem::size_of::<Ops>() == 72 && std::mem::size_of::<Field>() == 64);
const _: () = assert!(std::mem::size_of::<Track>() == 56 && std::mem::size_of::<Span>() == 64 && std::mem::size_of::<AdviceText>() == 136);

#[link(name = "opprof")]
extern "C" {
    pub fn OpprofStageAppend(stage: *mut Stage, port: u32, partition: u32, record: *const c_void) -> i32;
    pub fn OpprofStageIntern(stage: *mut Stage, text: *const c_char, length: usize) -> u32;
    pub fn OpprofStageText(stage: *mut Stage, port: u32, partition: u32, text: *const c_char, length: usize, ret_text: *mut Text) -> i32;
    pub fn OpprofStageStringLength(stage: *const Stage, id: u32, ret_length: *mut usize) -> *const c_char;
    pub fn OpprofStageClockInfo(stage: *const Stage, id: u32) -> *const Clock;
    pub fn OpprofStageClock(stage: *mut Stage, clock: *const Clock) -> u32;
    pub fn OpprofStageSetClock(stage: *mut Stage, port: u32, clock: u32);
    pub fn OpprofStageTrack(stage: *mut Stage, track: *const Track) -> u32;
    pub fn OpprofStageAdvise(stage: *mut Stage, port: u32, partition: u32, advice: *const AdviceText) -> i32;
    pub static opprof_span_type: RecordType;
    pub static opprof_counter_type: RecordType;
    pub static opprof_advice_type: RecordType;
    pub fn OpprofStageIncomplete(stage: *mut Stage, format: *const c_char, ...);
    pub fn OpprofStageOutput(stage: *const Stage) -> *mut c_void;
    pub fn OpprofParamsBool(params: *const Params, name: *const c_char) -> bool;
    pub fn OpprofParamsInt(params: *const Params, name: *const c_char) -> i64;
    pub fn OpprofParamsDouble(params: *const Params, name: *const c_char) -> c_double;
    pub fn OpprofParamsString(params: *const Params, name: *const c_char) -> *const c_char;
    pub fn OpprofErrorSetAt(error: *mut Error, status: i32, file: *const c_char, line: i32, format: *const c_char, ...) -> i32;
    pub fn OpprofFieldPrint(stage: *const Stage, batch: *const Batch, field: *const Field, record: *const c_void, number: *mut c_char,
        length: *mut usize) -> *const c_char;
    pub fn OpprofOutputFileCreate(directory: *mut c_void, name: *const c_char, file: *mut *mut OutputFile, error: *mut Error) -> i32;
    pub fn OpprofOutputFileWrite(file: *mut OutputFile, data: *const c_void, size: usize, error: *mut Error) -> i32;
    pub fn OpprofOutputFileFinish(file: *mut OutputFile, error: *mut Error) -> i32;
    pub fn OpprofOutputFileDiscard(file: *mut OutputFile);
}

pub fn size_of<T>() -> u32 { std::mem::size_of::<T>() as u32 }

/// A descriptor with the members that all plugins share.
pub const fn plugin(name: *const c_char, summary: *const c_char, kind: u32, ops: *const Ops) -> Plugin {
    Plugin { struct_size: 128, abi_major: 0, abi_minor: 3, name, version: c!("0.1"), license: c!("Apache-2.0"), summary, help: NONE, kind,
        flags: 0, inputs: std::ptr::null(), outputs: std::ptr::null(), params: std::ptr::null(), input_count: 0, output_count: 0,
        param_count: 0, reserved: 0, ops, chip_sections: std::ptr::null(), input_kinds: std::ptr::null(), chip_tables: std::ptr::null() }
}

/// Allocate a state for create. Box would end the program if memory ran out.
pub unsafe fn make_state<T>(value: T, ret_self: *mut *mut c_void, error: *mut Error) -> i32 {
    let at = std::alloc::alloc(std::alloc::Layout::new::<T>()) as *mut T;
    if at.is_null() {
        return OpprofErrorSetAt(error, E_MEMORY, c!(file!()), line!() as i32, c!("Out of memory"));
    }
    at.write(value);
    *ret_self = at as *mut c_void;
    OK
}
/// Free a state made by make_state.
pub unsafe fn drop_state<T>(state: *mut c_void) {
    drop(Box::from_raw(state as *mut T));
}
