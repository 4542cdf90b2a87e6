// SPDX-License-Identifier: Apache-2.0
//! @NAME@: raw words become samples: the upper half is a name, the lower half a value.
mod opprof;
use opprof::*;
use std::io::Write;
use std::os::raw::c_void;
use std::ptr::addr_of;

#[repr(C)]
struct Raw { word: u64 }
#[repr(C)]
struct Sample { value: f64, name: u32, reserved: u32 }
static RAW_FIELDS: Table<[Field; 1]> = Table([
    Field { name: c!("word"), kind: HEX, offset: std::mem::offset_of!(Raw, word) as u32, unit: NONE, meaning: c!("A word."), absent: NONE,
        heading: NONE, decimals: 0, flags: 0, combine: 0 },
]);
static FIELDS: Table<[Field; 2]> = Table([
    Field { name: c!("name"), kind: STRING, offset: std::mem::offset_of!(Sample, name) as u32, unit: NONE, meaning: c!("Name."), absent: NONE,
        heading: NONE, decimals: 0, flags: KEY, combine: 0 },
    Field { name: c!("value"), kind: F64, offset: std::mem::offset_of!(Sample, value) as u32, unit: c!("us"), meaning: c!("How much."), absent: NONE,
        heading: NONE, decimals: 0, flags: 0, combine: 0 },
]);
static RAW: Table<RecordType> = Table(RecordType { struct_size: std::mem::size_of::<RecordType>() as u32, version: 1, name: c!("org.example.raw"), summary: c!("A record."),
    size: std::mem::size_of::<Raw>() as u32, flags: 0, fields: addr_of!(RAW_FIELDS) as *const Field, field_count: 1, title: NONE, file_hint: NONE, elements: std::ptr::null() });
static SAMPLE: Table<RecordType> = Table(RecordType { struct_size: std::mem::size_of::<RecordType>() as u32, version: 1, name: c!("org.example.sample"), summary: c!("A record."),
    size: std::mem::size_of::<Sample>() as u32, flags: TABLE, fields: addr_of!(FIELDS) as *const Field, field_count: 2, title: c!("Samples"), file_hint: c!("samples"), elements: std::ptr::null() });
static INPUTS: Table<[Port; 1]> = Table([Port { name: c!("raw"), kind: c!("org.example.raw"), record_type: addr_of!(RAW.0), flags: 0, order: 0, batch_records: 0,
    summary: c!("Raw words.") }]);
static OUTPUTS: Table<[Port; 1]> = Table([Port { name: c!("samples"), kind: NONE, record_type: addr_of!(SAMPLE.0), flags: 0, order: 0, batch_records: 0,
    summary: c!("A record per word.") }]);

struct State { stage: *mut Stage }

unsafe extern "C" fn create(stage: *mut Stage, ret_self: *mut *mut c_void, error: *mut Error) -> i32 {
    make_state(State { stage }, ret_self, error)
}
unsafe extern "C" fn destroy(state: *mut c_void) {
    drop_state::<State>(state);
}
unsafe extern "C" fn process(state: *mut c_void, _port: u32, batch: *const Batch, _error: *mut Error) -> i32 {
    let (state, batch) = (&*(state as *const State), &*batch);
    for raw in std::slice::from_raw_parts(batch.records as *const Raw, batch.count as usize) {
        let mut text = [0u8; 16]; // no allocation that could fail
        let mut left = &mut text[..];
        let _ = write!(left, "unit{}", (raw.word >> 32) % 1000);
        let length = 16 - left.len();
        let name = OpprofStageIntern(state.stage, text.as_ptr() as *const _, length);
        let sample = Sample { value: (raw.word & 0xffff_ffff) as f64, name, reserved: 0 };
        let status = OpprofStageAppend(state.stage, 0, batch.partition, addr_of!(sample) as *const c_void);
        if status != OK { return status; }
    }
    OK
}

static OPS: Table<Ops> = Table(Ops { struct_size: std::mem::size_of::<Ops>() as u32, reserved: 0, create: Some(create), configure: None,
    start: None, process: Some(process), flush: None, stop: None, destroy: Some(destroy), explain: None });

#[no_mangle]
#[used]
pub static opprof_plugin_v0: Table<Plugin> = Table(Plugin { inputs: addr_of!(INPUTS.0) as *const Port, input_count: 1, outputs: addr_of!(OUTPUTS.0) as *const Port, output_count: 1,
    ..plugin(c!("@NAME@"), c!("Says in one sentence what it does."), PARSER, addr_of!(OPS.0)) });
