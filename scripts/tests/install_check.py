#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs into a folder and checks the files with their usual readers: install_check.py PROGRAM

groff must format the man page without a warning. Each shell must parse its completion; those of bash and fish must answer.
pkg-config must print the header's folder, and dpkg-deb must accept the Debian package. Uninstalling must leave nothing.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import needs

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr if more.get("both") else done.stdout


def check_manual(program, page):
    commands = re.findall(r"^(\w+)\t", run(program, "complete", ""), re.M)
    assert len(commands) > 12
    text = page.read_text()
    for command in commands:
        assert f"\n.SS {command} " in text, command
    if not needs.has("groff"):
        return
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(page)], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    for word in "--dims NAME=SIZE", "EXIT STATUS", "vkassay check 'relu.scalar/f32/n=1025/wg=64x1x1' --seed 7":
        assert word in re.sub("\x1b\\[[0-9;]*m|.\b", "", done.stdout).replace("\u2212", "-"), word


def check_completions(program, share):
    files = {"bash": share / "bash-completion/completions/vkassay", "zsh": share / "zsh/site-functions/_vkassay",
             "fish": share / "fish/vendor_completions.d/vkassay.fish"}
    for shell, file in files.items():
        assert file.stat().st_size > 100
        if needs.has(shell):
            run(shell, "-n", file)
    env = dict(os.environ, PATH=f"{pathlib.Path(program).parent}:{os.environ['PATH']}")
    ask = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vkassay; printf "%s\\n" "${COMPREPLY[@]}"'
    for words, wanted in (("vkassay be", "bench"), ("vkassay bench --see", "--seed"),
                          ("vkassay report --chart a", "all"), ("vkassay check --tier ex", "exhaustive"),
                          ("vkassay tune --strategy gr", "greedy"), ("vkassay export --format ju", "junit"),
                          ("vkassay compare --format j", "json"), ("vkassay bench --limits vulkan", "vulkan-1.1-mobile"),
                          ("vkassay bench --suite gat", "gate"), ("vkassay try --operator bernou", "bernoulli")):
        assert run("bash", "-c", ask, "bash", files["bash"], *words.split(), env=env).split() == [wanted], words
        if needs.has("fish"):
            said = run("fish", "-c", f"source {files['fish']}; complete -C '{words}'", env=env)
            assert wanted in re.findall(r"^\S+", said, re.M), (words, said)


def check_package(program, version, folder):
    if not needs.has("dpkg-deb"):
        return
    env = dict(os.environ, PROGRAM=program, PREFIX="/usr", VERSION=version)
    run("bash", ROOT / "scripts/deb.sh", folder, env=env)
    (package,) = folder.glob("vkassay_*.deb")
    fields = run("dpkg-deb", "--field", package)
    assert "Package: vkassay\n" in fields and f"Version: {version}\n" in fields
    assert "libvulkan1" in fields and "libjson-c5" in fields and "zlib1g" in fields and "libc6" in fields, fields
    names = run("dpkg-deb", "--contents", package)
    for name in "./usr/lib/vkassay/layer/libVkLayer_vkassay_capture.so", "./usr/bin/vkassay", "./usr/lib/vkassay/kernels/", \
            "./usr/share/man/man1/vkassay.1.gz", "./usr/share/doc/vkassay/changelog.gz":
        assert name in names, name
    run("dpkg-deb", "--extract", package, folder / "unpacked")
    assert "softmax" in run(folder / "unpacked/usr/bin/vkassay", "list", "operators", "softmax")


def check_words(folder):
    """Checks that make prints a few words per file, and whole commands with V=1."""
    made = folder / "few/harness/base/error.o"
    env = dict(os.environ, MAKEFLAGS="")
    few = run("make", "--no-print-directory", "-C", ROOT, f"BUILD={folder}/few", made, env=env)
    assert few == "  CC   harness/base/error.c\n", few
    made.unlink()
    whole = run("make", "--no-print-directory", "-C", ROOT, f"BUILD={folder}/few", "V=1", made, env=env)
    assert "-std=c17" in whole and "  CC   " not in whole, whole


def main(program):
    program, version = str(pathlib.Path(program).resolve()), "1.2.3"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        env = dict(os.environ, PROGRAM=program, PREFIX="/opt/x", DESTDIR=str(folder / "root"), VERSION=version)
        prefix = folder / "root/opt/x"
        run("bash", ROOT / "scripts/install_files.sh", "install", env=env)
        assert "softmax" in run(prefix / "bin/vkassay", "list", "operators", "softmax")
        check_manual(program, prefix / "share/man/man1/vkassay.1")
        check_completions(program, prefix / "share")
        config = dict(os.environ, PKG_CONFIG_PATH=str(prefix / "share/pkgconfig"))
        assert run("pkg-config", "--cflags", "vkassay_tuned", env=config).split() == ["-I/opt/x/include"]
        example = ROOT / "reports/examples/nvidia-h200/quick.json"
        assert run(prefix / "lib/vkassay/exports.py", "openmetrics", example).endswith("# EOF\n")
        assert run("pkg-config", "--modversion", "vkassay_tuned", env=config).strip() == version
        run("bash", ROOT / "scripts/install_files.sh", "uninstall", env=env)
        left = [path for path in prefix.rglob("*") if not path.is_dir()]
        assert not left, left
        check_package(program, version, folder)
        check_words(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
