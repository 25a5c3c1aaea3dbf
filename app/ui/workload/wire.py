"""The workload form with what it shows and what it sends."""

from __future__ import annotations

from collections.abc import Callable

from app.ui.session.session import Session
from app.ui.workload.pick_presenter import PickPresenter
from app.ui.workload.runtime_maker import RuntimeMaker
from app.ui.workload.runtime_presenter import RuntimePresenter
from app.ui.workload.workload_form import WorkloadForm


def wire_form(
    form: WorkloadForm,
    session: Session,
    pick: PickPresenter,
    runtime: RuntimePresenter,
    maker: RuntimeMaker,
    find_runtimes: Callable[[], None],
) -> None:
    """Connect the form.

    Args:
        form: Shows the session's workload.
        session: Takes a changed plan.
        pick: Finds models and data.
        runtime: Keeps which Python trains.
        maker: Makes one.
        find_runtimes: Opens the list of Pythons.
    """
    form.model_chosen.connect(pick.choose_model)
    form.model_file_chosen.connect(pick.open_model)
    form.dataset_chosen.connect(pick.choose_dataset)
    form.data_path_chosen.connect(pick.open_data)
    form.batch_chosen.connect(session.set_batch_size)
    form.plan_changed.connect(session.set_plan)
    form.interpreter_chosen.connect(runtime.choose_interpreter)
    form.runtimes_requested.connect(find_runtimes)
    pick.changed.connect(form.set_state)
    runtime.changed.connect(pick.show_interpreters)
    maker.made.connect(runtime.choose_interpreter)
