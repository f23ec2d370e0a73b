import { selectPackages } from './build/packages.ts'

/** Builds the packages to publish. Names as arguments select some of them. */
const packages = selectPackages(process.argv.slice(2))
if (packages === null) process.exitCode = 2
for (const { name, folder, build } of packages ?? []) {
  await build(folder)
  console.log(`${name} is built in ${folder}`)
}
