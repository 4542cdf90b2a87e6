// SPDX-License-Identifier: Apache-2.0
//! @NAME@: writes every table as lines of text.
mod opprof;
use opprof::*;
use std::os::raw::c_void;
use std::ptr::{addr_of, null};

static INPUTS: Table<[Port; 1]> = Table([Port { name: c!("tables"), kind: c!("any table"), record_type: null(), flags: MANY, order: 0, batch_records: 0,
    summary: c!("All tables.") }]);

struct State { stage: *mut Stage, file: *mut OutputFile }

unsafe extern "C" fn create(stage: *mut Stage, ret_self: *mut *mut c_void, error: *mut Error) -> i32 {
    make_state(State { stage, file: std::ptr::null_mut() }, ret_self, error)
}
unsafe extern "C" fn destroy(state: *mut c_void) {
    drop_state::<State>(state);
}
unsafe extern "C" fn start(state: *mut c_void, error: *mut Error) -> i32 {
    let state = &mut *(state as *mut State);
    OpprofOutputFileCreate(OpprofStageOutput(state.stage), c!("@NAME@.txt"), &mut state.file, error)
}
unsafe extern "C" fn process(state: *mut c_void, _port: u32, batch: *const Batch, error: *mut Error) -> i32 {
    let (state, kind) = (&*(state as *const State), &*(*batch).kind);
    for i in 0..(*batch).count as usize {
        let record = (*batch).records.add(i * kind.size as usize) as *const c_void;
        for f in 0..kind.field_count as usize {
            let (mut number, mut length) = ([0; 64], 0usize);
            let text = OpprofFieldPrint(state.stage, batch, kind.fields.add(f), record, number.as_mut_ptr(), &mut length);
            let (text, length) = if text.is_null() { (c!("NA"), 2) } else { (text, length) };
            let end = if f + 1 == kind.field_count as usize { c!("\n") } else { c!("\t") };
            let mut status = OpprofOutputFileWrite(state.file, text as *const c_void, length, error);
            if status == OK { status = OpprofOutputFileWrite(state.file, end as *const c_void, 1, error); }
            if status != OK { return status; }
        }
    }
    OK
}
unsafe extern "C" fn flush(state: *mut c_void, error: *mut Error) -> i32 {
    OpprofOutputFileFinish(std::mem::replace(&mut (*(state as *mut State)).file, std::ptr::null_mut()), error)
}
unsafe extern "C" fn stop(state: *mut c_void, _error: *mut Error) -> i32 {
    OpprofOutputFileDiscard(std::mem::replace(&mut (*(state as *mut State)).file, std::ptr::null_mut()));
    OK
}

static OPS: Table<Ops> = Table(Ops { struct_size: std::mem::size_of::<Ops>() as u32, reserved: 0, create: Some(create), configure: None,
    start: Some(start), process: Some(process), flush: Some(flush), stop: Some(stop), destroy: Some(destroy), explain: None });

#[no_mangle]
#[used]
pub static opprof_plugin_v0: Table<Plugin> = Table(Plugin { inputs: addr_of!(INPUTS.0) as *const Port, input_count: 1,
    ..plugin(c!("@NAME@"), c!("Says in one sentence what it does."), EXPORTER, addr_of!(OPS.0)) });
