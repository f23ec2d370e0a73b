import { expect, it } from 'vitest'
import { digestMigrations, findEditedMigrations, readReleasedMigrations, unreleasedMigrations } from './released-migrations.ts'

const released = { '0.1.0': { 'sqlite/0001-a.sql': 'a', 'sqlite/0002-b.sql': 'b' } }

it('no released migration was edited', () => {
  expect(findEditedMigrations(readReleasedMigrations(), digestMigrations())).toEqual([])
})

it('an edited and a removed migration are named with the version that released them', () => {
  expect(findEditedMigrations(released, { 'sqlite/0001-a.sql': 'another', 'sqlite/0003-c.sql': 'c' })).toEqual([
    'sqlite/0001-a.sql was released with 0.1.0 and has been edited; add a migration instead.',
    'sqlite/0002-b.sql was released with 0.1.0 and has been removed; add a migration instead.',
  ])
})

it('a migration that was added after the last release is unreleased', () => {
  const current = { ...released['0.1.0'], 'sqlite/0003-c.sql': 'c' }
  expect(unreleasedMigrations(released, current)).toEqual({ 'sqlite/0003-c.sql': 'c' })
})
