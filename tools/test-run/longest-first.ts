import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = path.join(import.meta.dirname, '../..')

/**
 * The slowest test files. They start before the other files of their project, so that none of them
 * is still running at the end when other workers are idle.
 */
const longestFiles = [
  'packages/server/test/upstreams/routed-tasks.test.ts',
  'packages/server/test/postgres/http-on-postgres.test.ts',
  'packages/server/test/upstreams/restored-copy.test.ts',
  'tools/snippets/pages.test.ts',
  'packages/server/test/clock-jump.test.ts',
  'tools/chaos.test.ts',
  'packages/server/test/postgres/several-results.test.ts',
  'packages/server/test/routing/combinations.test.ts',
  'packages/server/test/postgres/changing-catalogue.test.ts',
  'packages/server/test/storage-faults.test.ts',
  'packages/server/test/postgres/restored-copy.test.ts',
  'packages/server/test/hostile/results.test.ts',
  'packages/server/test/routing/upstream-responses.test.ts',
  'packages/server/test/hostile/changing-catalogue.test.ts',
  'packages/server/test/white-label.test.ts',
  'packages/server/test/import/killed-imports.test.ts',
  'packages/server/test/embedded-driver.test.ts',
  'packages/server/test/start-up.test.ts',
  'packages/server/test/hostile/decoders-of-a-service.test.ts',
  'packages/server/test/s3-service.test.ts',
  'packages/server/test/upstreams/without-webcodecs.test.ts',
  'packages/sdk/test/runtimes.test.ts',
  'packages/server/test/hostile/slow-clients.test.ts',
  'packages/server/test/upstreams/stored-routes.test.ts',
  'packages/server/test/postgres/upgrade.test.ts',
  'packages/server/test/console/accessibility.test.ts',
  'packages/renderer/src/scenes/styles/styles.test.ts',
  'packages/server/test/routing/invariants.test.ts',
  'packages/server/test/assets.test.ts',
  'packages/server/test/embedded-input-videos.test.ts',
  'packages/server/test/hostile/documents-of-brands.test.ts',
  'tools/build/pack.test.ts',
  'packages/cli/test/generate.test.ts',
  'packages/server/test/erased-content.test.ts',
  'packages/server/src/db/sqlite/sqlite-store.test.ts',
  'packages/server/test/hostile/event-loop.test.ts',
  'bench/http/serving.test.ts',
  'packages/server/test/hostile/media-inputs.test.ts',
  'packages/server/test/hostile/images.test.ts',
  'packages/server/test/simulate.test.ts',
  'packages/server/test/upgrades/upgrade.test.ts',
  'packages/server/src/media/s3/s3-media-store.test.ts',
  'packages/cli/test/tasks.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return sorted.toSorted((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project) || rankOf(a) - rankOf(b))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longestFiles.indexOf(path.relative(root, moduleId))
  return rank === -1 ? longestFiles.length : rank
}
