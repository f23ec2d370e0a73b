import { publishedPackages } from './build/packages.ts'

/** Builds the packages to publish: all of them, or those named. */
const names = process.argv.slice(2)
const unknown = names.find((name) => !publishedPackages.some((published) => published.name === name))
if (unknown === undefined) {
  for (const { name, folder, build } of publishedPackages) {
    if (names.length > 0 && !names.includes(name)) continue
    await build(folder)
    console.log(`${name} is built in ${folder}`)
  }
} else {
  console.error(`There is no package "${unknown}"; known are ${publishedPackages.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 2
}
