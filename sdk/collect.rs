// SPDX-License-Identifier: Apache-2.0
//! @NAME@: reads lines "NAME VALUE" of a file.
mod opprof;
use opprof::*;
use std::os::unix::ffi::OsStrExt;
use std::os::raw::c_void;
use std::ptr::{addr_of, null};

#[repr(C)]
#[derive(Clone, Copy)]
struct Sample { time: u64, value: f64, name: u32, reserved: u32 }
static FIELDS: Table<[Field; 3]> = Table([
    Field { name: c!("name"), kind: STRING, offset: std::mem::offset_of!(Sample, name) as u32, unit: NONE, meaning: c!("Name."), absent: NONE,
        heading: NONE, decimals: 0, flags: KEY, combine: 0 },
    Field { name: c!("time"), kind: U64, offset: std::mem::offset_of!(Sample, time) as u32, unit: c!("ns"), meaning: c!("When."), absent: NONE,
        heading: NONE, decimals: 0, flags: 0, combine: 0 },
    Field { name: c!("value"), kind: F64, offset: std::mem::offset_of!(Sample, value) as u32, unit: c!("us"), meaning: c!("How much."), absent: c!("not measured"),
        heading: NONE, decimals: 0, flags: 0, combine: 0 },
]);
static SAMPLE: Table<RecordType> = Table(RecordType { struct_size: std::mem::size_of::<RecordType>() as u32, version: 1, name: c!("org.example.sample"), summary: c!("A record."),
    size: std::mem::size_of::<Sample>() as u32, flags: TABLE, fields: addr_of!(FIELDS) as *const Field, field_count: 3, title: c!("Samples"), file_hint: c!("samples"), elements: std::ptr::null() });
static OUTPUTS: Table<[Port; 1]> = Table([Port { name: c!("samples"), kind: NONE, record_type: addr_of!(SAMPLE.0), flags: 0, order: 0, batch_records: 0,
    summary: c!("A record per line.") }]);
static PARAMS: Table<[Param; 1]> = Table([Param { name: c!("input"), kind: PARAM_PATH, flags: REQUIRED, default_value: NONE, min: 0.0, max: 0.0,
    choices: null(), unit: NONE, summary: c!("Text file to read.") }]);

struct State { stage: *mut Stage, path: *const std::os::raw::c_char }

unsafe extern "C" fn create(stage: *mut Stage, ret_self: *mut *mut c_void, error: *mut Error) -> i32 {
    make_state(State { stage, path: null() }, ret_self, error)
}
unsafe extern "C" fn destroy(state: *mut c_void) {
    drop_state::<State>(state);
}
unsafe extern "C" fn configure(state: *mut c_void, params: *const Params, _error: *mut Error) -> i32 {
    (*(state as *mut State)).path = OpprofParamsString(params, c!("input"));
    OK
}
unsafe extern "C" fn process(state: *mut c_void, _port: u32, _batch: *const Batch, error: *mut Error) -> i32 {
    let state = &*(state as *const State);
    let path = std::ffi::OsStr::from_bytes(std::ffi::CStr::from_ptr(state.path).to_bytes());
    let Ok(text) = std::fs::read_to_string(path) else {
        return OpprofErrorSetAt(error, E_IO, c!(file!()), line!() as i32, c!("Cannot read the input"));
    };
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(Ok(value))) = (words.next(), words.next().map(str::parse::<f64>)) else {
            OpprofStageIncomplete(state.stage, c!("Line %u is no name and value"), number as u32 + 1); // what is lost is said
            continue;
        };
        let name = OpprofStageIntern(state.stage, name.as_ptr() as *const _, name.len());
        let sample = Sample { time: number as u64 + 1, value, name, reserved: 0 };
        let status = OpprofStageAppend(state.stage, 0, 0, addr_of!(sample) as *const c_void);
        if status != OK { return status; }
    }
    END
}

static OPS: Table<Ops> = Table(Ops { struct_size: std::mem::size_of::<Ops>() as u32, reserved: 0, create: Some(create), configure: Some(configure),
    start: None, process: Some(process), flush: None, stop: None, destroy: Some(destroy), explain: None });

#[no_mangle]
#[used]
pub static opprof_plugin_v0: Table<Plugin> = Table(Plugin { outputs: addr_of!(OUTPUTS.0) as *const Port, output_count: 1, params: addr_of!(PARAMS.0) as *const Param, param_count: 1,
    ..plugin(c!("@NAME@"), c!("Says in one sentence what it does."), COLLECTOR, addr_of!(OPS.0)) });
