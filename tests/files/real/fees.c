/* The mooring fee is due on the first day of each month. Boats longer than twelve metres pay double. */
#include <stdio.h>

// The harbour master is Ingrid Solheim.
static unsigned mooring_fee(double length, unsigned fee)
{
	return length > 12.0 ? 2 * fee : fee;
}

int main(void)
{
	printf("%u\n", mooring_fee(8.0, 120)); // Her deputy is Tomás Ferreira.
	printf("%u\n", mooring_fee(14.0, 195));
	return 0;
}
