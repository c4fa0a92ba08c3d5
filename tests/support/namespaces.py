"""Mount namespaces for tests that hide parts of the machine from what they start."""

import functools
import os
import shutil
import subprocess
import tempfile

TMPFS = ("mount", "-t", "tmpfs", "none")


@functools.cache
def unshare_mounts() -> tuple[str, ...] | None:
    """Return the beginning of an argv whose rest runs among mounts of its own; None: not here.

    Below a changed root the mounts cannot be made private, since `/` is no mount there; they need
    not be where the machine's own are private already, which one mount on trial shows.
    """
    if shutil.which("unshare") is None:
        return None
    private = ("unshare", "--mount", "--propagation", "private")
    if subprocess.run([*private, "true"], stderr=subprocess.DEVNULL).returncode == 0:
        return private
    unchanged = ("unshare", "--mount", "--propagation", "unchanged")
    with tempfile.TemporaryDirectory() as folder:
        tried = subprocess.run([*unchanged, *TMPFS, folder], stderr=subprocess.DEVNULL)
        if os.path.ismount(folder):
            subprocess.run(["umount", folder], check=True)
            return None
    return unchanged if tried.returncode == 0 else None
