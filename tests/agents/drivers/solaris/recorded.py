"""Answers of ldm and cryptoadm written by hand after the manuals' formats, with own values."""

from collections.abc import Mapping, Sequence

from agents.executors.process import CommandNotStarted, CommandResult

BINDINGS_3X = """VERSION 1.11
DOMAIN|name=primary|state=active|flags=normal,control,vio-service|cons=SP|ncpu=2|mem=4294967296\
|util=0.3|uptime=9000|norm_util=0.2|softstate=Solaris running
UUID|uuid=00000000-1111-2222-3333-444444444444
CORE
|cid=4|cpuset=32,33,34,35,36,37,38,39
VCPU
|vid=0|pid=32|cid=4|util=0.5%|strand=100
|vid=1|pid=33|cid=4|util=---|strand=100
MAU
|id=0|cpuset=32,33,34,35,36,37,38,39
VARIABLES
|nvramrc=: hello
  ." two lines" cr
;
|boot-device=/pci@500/disk@0,0:a=b
DOMAIN|name=app|state=bound|flags=bound|cons=5000|ncpu=1|mem=2147483648|util=|uptime=
VCPU
|vid=0|pid=40|cid=5|util=|strand=100
DOMAIN|name=idle|state=inactive|flags=------|cons=|ncpu=4|mem=1073741824|util=|uptime=
"""
DEVICES_3X = """VERSION 1.11
CORE
|cid=4|free=0|cpuset=32,33,34,35,36,37,38,39
|cid=5|free=87|cpuset=40,41,42,43,44,45,46,47
VCPU
|pid=32|free=0|pm=no
|pid=33|free=0|pm=no
|pid=40|free=0|pm=no
|pid=41|free=100|pm=no
CRYPTO
|id=0|cpuset=32,33,34,35,36,37,38,39|bound=primary
|id=1|cpuset=40,41,42,43,44,45,46,47|bound=
MEMORY
|pa=0x0|size=524288|bound=_sys_
"""
BINDINGS_12 = """VERSION 1.0
DOMAIN|name=primary|state=active|flags=-ndcv-|cons=SP|ncpu=4|mem=1073741824|util=0.6|uptime=90
VCPU
|vid=0|pid=0|util=0.9|strand=100
MAU
|cpuset=0,1,2,3
"""
DEVICES_12 = """VERSION 1.0
VCPU
|pid=0|free=0
|pid=1|free=100
MAU
|cpuset=0,1,2,3|bound=primary
|cpuset=4,5,6,7|bound=
"""
VERSION_12 = "\nLogical Domain Manager (v 1.2)\n   Hypervisor control protocol v 1.3\n"
SPCONFIGS = "factory-default\nmonday [current]\ntuesday [next poweron]\n"

MECHANISMS = """
User-level providers:
=====================

Provider: /usr/lib/security/$ISA/pkcs11_kernel.so
/usr/lib/security/$ISA/pkcs11_kernel.so: no slots presented.

Provider: /opt/hsm/lib/$ISA/libhsm.so
Mechanisms:
CKM_RSA_PKCS                \x20
0x80000007
Mechanisms:
CKM_AES_GCM                 \x20

Kernel software providers:
==========================
aes: CKM_AES_ECB,CKM_AES_CBC
md4: (inactive)
swrand: No mechanisms presented.

Kernel hardware providers:
==========================
ncp/0: CKM_DSA
"""
MECHANISMS_S10 = """user-level providers:
=====================
/usr/lib/security/$ISA/pkcs11_softtoken.so:\x20
CKM_DES_CBC,CKM_DES_ECB,
CKM_AES_CBC
kernel software providers:
==========================
sha1: CKM_SHA_1,CKM_SHA_1_HMAC
"""
POLICIES = """
User-level providers:
=====================
/opt/hsm/lib/$ISA/libhsm.so: all mechanisms are disabled, except CKM_RSA_PKCS. random is disabled.

Kernel software providers:
==========================
aes: all mechanisms are enabled, except CKM_AES_ECB.
swrand: random is enabled.

Kernel hardware providers:
==========================
ncp/0: All mechanisms are enabled, except CKM_DSA, CKM_RC4
n2rng/0: random is disabled.
"""
METASLOT = """System-wide Meta Slot Configuration:
------------------------------------
Status: enabled
Sensitive Token Object Automatic Migrate: disabled
Persistent object store token: Vault: east

Detailed Meta Slot Information:
-------------------------------
actual status: disabled.
"""
KCF = "# kernel\naes:supportedlist=CKM_AES_ECB,CKM_AES_CBC;disabledlist=CKM_AES_ECB\n"
KSTAT = (
    "kcf:0:aes_provider_stats:kcf_ops_total\t12\nkcf:0:ncp_0_2_provider_stats:kcf_ops_total\t0\n"
)


class Recorded:
    """A reader over recorded answers: by the words after the program; missing ones do not start."""

    def __init__(
        self, answers: Mapping[str, str | CommandResult], files: Mapping[str, str] | None = None
    ) -> None:
        self._answers = answers
        self._files = files or {}
        self.asked: list[str] = []

    def run(self, argv: Sequence[str], *, timeout_seconds: float = 30.0) -> CommandResult:
        """Return the recorded answer. Raises CommandNotStarted where there is none."""
        words = " ".join(argv[1:])
        self.asked.append(words)
        if words not in self._answers:
            raise CommandNotStarted(argv, "No such file or directory")
        answer = self._answers[words]
        return answer if isinstance(answer, CommandResult) else said(answer)

    def read_text(self, path: str) -> str | None:
        """Return a recorded file."""
        return self._files.get(path)


def said(stdout: str, *, code: int = 0, stderr: str = "", timed_out: bool = False) -> CommandResult:
    """Return how a command ended."""
    return CommandResult(
        argv=("x",),
        returncode=code,
        stdout=stdout,
        stderr=stderr,
        wall_seconds=0.1,
        user_seconds=0.0,
        system_seconds=0.0,
        timed_out=timed_out,
    )
