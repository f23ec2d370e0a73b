const seedMost = 2 ** 32 - 1

export function randomSeed(maximum = seedMost): number {
  return Math.floor(Math.random() * (maximum + 1))
}
