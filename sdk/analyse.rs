// SPDX-License-Identifier: Apache-2.0
//! @NAME@: adds a column to samples: the value in milliseconds.
mod opprof;
use opprof::*;
use std::os::raw::c_void;
use std::ptr::addr_of;

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
#[repr(C)]
struct Row { value: f64, value_ms: f64, name: u32, reserved: u32 }
static ROW_FIELDS: Table<[Field; 3]> = Table([
    Field { name: c!("name"), kind: STRING, offset: std::mem::offset_of!(Row, name) as u32, unit: NONE, meaning: c!("Name."), absent: NONE,
        heading: NONE, decimals: 0, flags: KEY, combine: 0 },
    Field { name: c!("value"), kind: F64, offset: std::mem::offset_of!(Row, value) as u32, unit: c!("us"), meaning: c!("How much."), absent: c!("not measured"),
        heading: NONE, decimals: 0, flags: 0, combine: 0 },
    Field { name: c!("value_ms"), kind: F64, offset: std::mem::offset_of!(Row, value_ms) as u32, unit: c!("ms"), meaning: c!("The same in ms."), absent: c!("not measured"),
        heading: NONE, decimals: 0, flags: 0, combine: 0 },
]);
static SAMPLE: Table<RecordType> = Table(RecordType { struct_size: std::mem::size_of::<RecordType>() as u32, version: 1, name: c!("org.example.sample"), summary: c!("A record."),
    size: std::mem::size_of::<Sample>() as u32, flags: 0, fields: addr_of!(FIELDS) as *const Field, field_count: 3, title: NONE, file_hint: NONE, elements: std::ptr::null() });
static ROW: Table<RecordType> = Table(RecordType { struct_size: std::mem::size_of::<RecordType>() as u32, version: 1, name: c!("org.example.@NAME@"), summary: c!("A record."),
    size: std::mem::size_of::<Row>() as u32, flags: TABLE, fields: addr_of!(ROW_FIELDS) as *const Field, field_count: 3, title: c!("Samples"), file_hint: c!("@NAME@"), elements: std::ptr::null() });
static INPUTS: Table<[Port; 1]> = Table([Port { name: c!("in"), kind: c!("org.example.sample"), record_type: addr_of!(SAMPLE.0), flags: 0, order: 0, batch_records: 0,
    summary: c!("Samples.") }]);
static OUTPUTS: Table<[Port; 1]> = Table([Port { name: c!("rows"), kind: NONE, record_type: addr_of!(ROW.0), flags: 0, order: 0, batch_records: 0,
    summary: c!("A row per sample.") }]);

struct State { stage: *mut Stage }

unsafe extern "C" fn create(stage: *mut Stage, ret_self: *mut *mut c_void, error: *mut Error) -> i32 {
    make_state(State { stage }, ret_self, error)
}
unsafe extern "C" fn destroy(state: *mut c_void) {
    drop_state::<State>(state);
}
unsafe extern "C" fn process(state: *mut c_void, _port: u32, batch: *const Batch, _error: *mut Error) -> i32 {
    let (state, batch) = (&*(state as *const State), &*batch);
    for sample in std::slice::from_raw_parts(batch.records as *const Sample, batch.count as usize) {
        // the absent value is a special NaN, which a division might change
        let value_ms = if sample.value.is_nan() { sample.value } else { sample.value / 1e3 };
        let row = Row { value: sample.value, value_ms, name: sample.name, reserved: 0 };
        let status = OpprofStageAppend(state.stage, 0, batch.partition, addr_of!(row) as *const c_void);
        if status != OK { return status; }
    }
    OK
}

static OPS: Table<Ops> = Table(Ops { struct_size: std::mem::size_of::<Ops>() as u32, reserved: 0, create: Some(create), configure: None,
    start: None, process: Some(process), flush: None, stop: None, destroy: Some(destroy), explain: None });

#[no_mangle]
#[used]
pub static opprof_plugin_v0: Table<Plugin> = Table(Plugin { inputs: addr_of!(INPUTS.0) as *const Port, input_count: 1, outputs: addr_of!(OUTPUTS.0) as *const Port, output_count: 1,
    ..plugin(c!("@NAME@"), c!("Says in one sentence what it does."), ANALYSIS, addr_of!(OPS.0)) });
