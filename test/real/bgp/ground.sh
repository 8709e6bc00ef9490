# Tries, in namespaces that end with it, all that a box will need. Its last line is what it tried.
set -e
PATH="$PATH:/usr/sbin:/sbin"
echo 'a tmpfs mount'
mount -t tmpfs none /tmp
mkdir /tmp/upper /tmp/work
echo 'an overlay mount'
mount -t overlay none -o lowerdir=/etc,upperdir=/tmp/upper,workdir=/tmp/work /etc
echo 'a bridge'
ip link add eth0 type bridge
echo 'a veth pair'
ip link add probe type veth peer name probe-peer
