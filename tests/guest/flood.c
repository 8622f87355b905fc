/* SPDX-License-Identifier: BSD-3-Clause
 *
 * guest_flood NETDEV SECONDS
 *
 * Sends frames of 1414 bytes to the netdev's own MAC, as fast as its queue takes them. Prints the
 * frames that the netdev received and the completion interrupts of mlx5_core, both per second.
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { FRAME = 1414, ETH_TYPE = 0x88b5, MAC = 6 };

static const double warm_up_s = 0.5; /* fills the queue before the measurement begins */

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t count_received(const char *netdev)
{
	char path[128];
	uint64_t n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/statistics/rx_packets", netdev);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%lu", &n) != 1)
		perror(path);
	if (f)
		fclose(f);
	return n;
}

/* Adds up the columns of all CPUs in the lines of mlx5_comp. */
static uint64_t count_interrupts(void)
{
	FILE *f = fopen("/proc/interrupts", "r");
	uint64_t sum = 0;
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		char *at = strchr(line, ':'), *end;

		if (!at || !strstr(line, "mlx5_comp"))
			continue;
		for (at++;; at = end) {
			const uint64_t n = strtoull(at, &end, 10);

			if (end == at)
				break;
			sum += n;
		}
	}
	if (f)
		fclose(f);
	return sum;
}

static int open_socket(const char *netdev, uint8_t *frame)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET };
	const int s = socket(AF_PACKET, SOCK_RAW, 0);
	struct ifreq r = { 0 };

	at.sll_ifindex = (int)if_nametoindex(netdev);
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", netdev);
	if (s < 0 || bind(s, (struct sockaddr *)&at, sizeof(at)) || ioctl(s, SIOCGIFHWADDR, &r)) {
		perror(netdev);
		exit(1);
	}
	memcpy(frame, r.ifr_hwaddr.sa_data, MAC);
	memcpy(frame + MAC, r.ifr_hwaddr.sa_data, MAC);
	frame[2 * MAC] = ETH_TYPE >> 8;
	frame[2 * MAC + 1] = ETH_TYPE & 0xff;
	return s;
}

static void send_until(int s, const uint8_t *frame, double end)
{
	while (now_s() < end)
		if (send(s, frame, FRAME, 0) < 0)
			usleep(100); /* the queue is full */
}

int main(int argc, char **argv)
{
	uint8_t frame[FRAME] = { 0 };
	uint64_t frames, interrupts;
	double start, passed;
	int s;

	if (argc != 3)
		return 2;
	s = open_socket(argv[1], frame);
	send_until(s, frame, now_s() + warm_up_s);
	start = now_s(); /* before the counts: a pause here makes the rates lower, not higher */
	frames = count_received(argv[1]);
	interrupts = count_interrupts();
	send_until(s, frame, start + atof(argv[2]));
	frames = count_received(argv[1]) - frames;
	interrupts = count_interrupts() - interrupts;
	passed = now_s() - start;
	printf("%.0f %.0f\n", (double)frames / passed, (double)interrupts / passed);
	return 0;
}
