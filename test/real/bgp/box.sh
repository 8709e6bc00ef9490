# box.sh FOLDER BGPD-OPTIONS [PROGRAM...]: process 1 of a box, in namespaces of its own.
# The box lives as long as its stdin: it cannot outlive whoever started it.
set -eu
PATH="$PATH:/usr/sbin:/sbin"
folder=$1 options=$2
shift 2
# Sockets and the process id of an earlier life would be taken for those of this one.
rm -rf "$folder/run" "$folder/reloader/reloader.pid"
mkdir -p "$folder/run" "$folder/etc" "$folder/reloader" "$folder/overlay"

# Debian lets only members of frrvty use vtysh; in a user namespace there is no user but root.
mount -t tmpfs none "$folder/overlay"
mkdir "$folder/overlay/upper" "$folder/overlay/work"
layers="lowerdir=/etc,upperdir=$folder/overlay/upper,workdir=$folder/overlay/work"
mount -t overlay none -o "$layers" /etc
sed -i 's/^frrvty:.*/frrvty:x:0:root/' /etc/group

# FRR and the reloader know their paths by heart: each box has its own behind these.
mkdir -p /etc/frr_reloader
mount -t tmpfs none /run
mount -t tmpfs none /var/tmp
mkdir /run/frr /run/programs
mount --bind "$folder/run" /run/frr
mount --bind "$folder/etc" /etc/frr
mount --bind "$folder/reloader" /etc/frr_reloader
for program; do
  name=/run/programs/$(basename "$program")
  touch "$name"
  mount --bind "$program" "$name"
done
# Last: all of the above may lie under /tmp.
mount -t tmpfs none /tmp

echo 'service integrated-vtysh-config' > /etc/frr/vtysh.conf
touch /etc/frr/frr.conf
ip link set lo up

# One after the other: a bfdd that came before zebra's socket would register late.
for daemon in zebra bfdd bgpd; do
  own='-u root -g root -A 127.0.0.1 -P 0'
  [ "$daemon" = bgpd ] && own="$own $options"
  # shellcheck disable=SC2086 -- options are words
  /usr/lib/frr/$daemon $own --log "file:/etc/frr/$daemon.log" &
  until [ -S "/run/frr/$daemon.vty" ]; do
    kill -0 $!
    sleep 0.02
  done
done
vtysh -b >/etc/frr/vtysh.log 2>&1 || true
echo ready
exec 3<&0
while read -r _ <&3; do :; done
