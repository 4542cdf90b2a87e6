// SPDX-License-Identifier: Apache-2.0
//! @NAME@: a row for each piece of a timeline: how long it takes.
mod opprof;
use opprof::*;
use std::os::raw::c_void;
use std::ptr::addr_of;

#[repr(C)]
struct Row { start_us: f64, duration_us: f64, name: u32, reserved: u32 }
static FIELDS: Table<[Field; 3]> = Table([
    Field { name: c!("name"), kind: STRING, offset: std::mem::offset_of!(Row, name) as u32, unit: NONE, meaning: c!("Name."), absent: NONE,
        heading: NONE, decimals: 0, flags: KEY, combine: 0 },
    Field { name: c!("start_us"), kind: F64, offset: std::mem::offset_of!(Row, start_us) as u32, unit: c!("us"), meaning: c!("When it begins."),
        absent: c!("the timeline has no clock"), heading: NONE, decimals: 0, flags: 0, combine: 0 },
    Field { name: c!("duration_us"), kind: F64, offset: std::mem::offset_of!(Row, duration_us) as u32, unit: c!("us"), meaning: c!("How long it takes."),
        absent: c!("the timeline has no clock"), heading: NONE, decimals: 0, flags: WEIGHT, combine: COMBINE_SUM },
]);
static ROW: Table<RecordType> = Table(RecordType { struct_size: std::mem::size_of::<RecordType>() as u32, version: 1, name: c!("org.example.@NAME@"), summary: c!("A piece of a timeline."),
    size: std::mem::size_of::<Row>() as u32, flags: TABLE, fields: addr_of!(FIELDS) as *const Field, field_count: 3, title: c!("Pieces"), file_hint: c!("@NAME@"), elements: std::ptr::null() });
static INPUTS: Table<[Port; 1]> = Table([Port { name: c!("spans"), kind: c!("span"), record_type: addr_of!(opprof_span_type), flags: 0, order: 0, batch_records: 0,
    summary: c!("A timeline.") }]);
static OUTPUTS: Table<[Port; 1]> = Table([Port { name: c!("rows"), kind: NONE, record_type: addr_of!(ROW.0), flags: 0, order: 0, batch_records: 0,
    summary: c!("A row per slice.") }]);

struct State { stage: *mut Stage }

unsafe extern "C" fn create(stage: *mut Stage, ret_self: *mut *mut c_void, error: *mut Error) -> i32 {
    make_state(State { stage }, ret_self, error)
}
unsafe extern "C" fn destroy(state: *mut c_void) {
    drop_state::<State>(state);
}
unsafe extern "C" fn process(state: *mut c_void, _port: u32, batch: *const Batch, _error: *mut Error) -> i32 {
    let (state, batch) = (&*(state as *const State), &*batch);
    let clock = OpprofStageClockInfo(state.stage, batch.clock);
    // the absent value is a special NaN, which arithmetic might change
    let us = |ticks: u64| if clock.is_null() { f64::from_bits(NA_F64) } else { ticks as f64 * 1e6 / (*clock).hz as f64 };
    for span in std::slice::from_raw_parts(batch.records as *const Span, batch.count as usize) {
        if span.kind != SPAN_SLICE { continue; }
        let row = Row { start_us: us(span.start), duration_us: us(span.duration), name: span.name, reserved: 0 };
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
