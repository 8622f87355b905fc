# SPDX-License-Identifier: BSD-3-Clause
#
# Functions that boot an unmodified kernel in QEMU, with devx-emu pci in a PCI slot. devtools/guest
# and tests/guest/host/lifecycle source this file after they set `top`.

# guest_of KERNEL USERLAND: sets vmlinuz, initrd, image and release (devtools/guest-image), qemu_root (the
# root that has QEMU) and root (the root USERLAND)
guest_of() {
	paths=$("$top/devtools/guest-image" "$1" "$2") || exit $?
	vmlinuz=$(echo "$paths" | sed -n 1p) initrd=$(echo "$paths" | sed -n 2p)
	image=$(echo "$paths" | sed -n 3p) release=$(echo "$paths" | sed -n 4p)
	qemu_root=$("$top/devtools/root" qemu)
	root=$("$top/devtools/root" "$2")
}

# initrd_with DIRECTORY OUT: writes to OUT the guest's initramfs and the files of DIRECTORY
initrd_with() {
	(cd "$1" && find . | "$root/usr/bin/busybox" cpio -o -H newc 2> /dev/null) | cat "$initrd" - > "$2"
}

# foreign ROOT PROGRAM ARGUMENT...: runs a program of ROOT with the libraries of ROOT, but in this file
# system; this needs no privilege
foreign() {
	r=$1 program=$2
	shift 2
	exec "$r"/lib64/ld-linux-x86-64.so.2 --library-path "$r/usr/lib/x86_64-linux-gnu" "$r$program" "$@"
}

# qemu INITRD SOCKET OUTBOX CONSOLE [OPTION...]: runs QEMU in place of the shell that calls it. OUTBOX is
# the guest's second disk. Writes to the first disk are lost when QEMU ends. The kernel does not report
# stalled CPUs, because a busy host stalls them.
qemu() {
	initrd_given=$1 socket_given=$2 outbox=$3 console=$4
	shift 4
	accel=tcg,thread=multi
	[ -z "${NET_DEVX_KVM-}" ] || accel=kvm
	foreign "$qemu_root" /usr/bin/qemu-system-x86_64 \
		-L "$qemu_root/usr/share/qemu" -L "$qemu_root/usr/share/seabios" \
		-nodefaults -no-user-config -machine q35 -accel $accel -cpu max -smp 2 -m 2048 \
		-object memory-backend-memfd,id=m0,size=2048M,share=on -numa node,memdev=m0 \
		-kernel "$vmlinuz" -initrd "$initrd_given" \
		-append 'console=ttyS0 quiet panic=-1 mitigations=off tsc=reliable iomem=relaxed nowatchdog rcupdate.rcu_cpu_stall_suppress=1' \
		-display none -serial "$console" \
		-drive "file=$image,format=raw,if=none,id=d0,snapshot=on" -device virtio-blk-pci,drive=d0 \
		-drive "file=$outbox,format=raw,if=none,id=d1" -device virtio-blk-pci,drive=d1 \
		-device pcie-root-port,id=rp0,chassis=1 -device \
		"{\"driver\":\"vfio-user-pci\",\"bus\":\"rp0\",\"rombar\":0,\"socket\":{\"path\":\"$socket_given\",\"type\":\"unix\"}}" \
		"$@"
}
