import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { spreadPathOf, hourPathOf } from '../stored-path.ts'
import { bucketKeyOf } from './bucket-key.ts'

const guide = readFileSync(path.join(import.meta.dirname, '../../../../../docs/s3.md'), 'utf8')

it('the commands of the S3 guide create links to the files of a media folder under the keys of a bucket', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-bucket-'))
  try {
    const media = path.join(folder, 'data', 'media')
    const id = '019af2c0ffee7000800000000000'
    const objectKeys = [`task_${id}3fa9.mp4`, `task_${id}3faa-2-thumbnail.webp`, `asset_${id}3fab.png`, `upload_${id}3fac-1.part`]
    const paths = [
      ...objectKeys.slice(1).map((key) => hourPathOf(media, key)),
      spreadPathOf(media, String(objectKeys[0])),
      path.join(media, 'incoming', 'half-a-file'),
    ]
    for (const file of paths) {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, '')
    }
    const [, commands = ''] = /```sh\n(cd data\/media\n.*?)```/s.exec(guide) ?? []
    execFileSync('sh', ['-e', '-c', commands], { cwd: folder })
    const linkedFiles = readdirSync(path.join(folder, 'data', 'bucket'), { recursive: true, encoding: 'utf8' })
    expect(linkedFiles.filter((name) => name.includes('.')).toSorted()).toEqual(
      objectKeys.map((key) => bucketKeyOf(key, '')).toSorted(),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
