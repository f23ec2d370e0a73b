import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Bundles code in a project for the runtime with these conditions of package.json. */
export async function bundle(project: string, name: string, code: string, conditionNames: string[]): Promise<string> {
  writeFileSync(join(project, name), code)
  const built = await rolldown({ input: join(project, name), platform: 'neutral', resolve: { conditionNames } })
  const { output } = await built.generate({ format: 'esm' })
  await built.close()
  return output[0].code
}
