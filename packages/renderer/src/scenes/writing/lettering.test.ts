import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { canWrite, glyphOf } from './glyphs.ts'
import { layOutText, strokeText } from './lettering.ts'

const western = 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿŒœ'
const eastern = 'ĄąĆćČčĎďĐđĘęĚěĞğĢģĪīĮįİıĶķĹĺĻļŁłŃńŅņŇňŐőŔŕŘřŚśŞşŠšŤťŪūŮůŰűŲųŹźŻżŽžȘșȚț'
const vietnamese = 'ẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẸẹẾếỀềỆệỈỉỊịỌọỐốỒồỘộỚớỜờỢợỤụỨứỪừỰựỲỳỸỹ'
const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Renders a text and returns which pixels have ink. */
function inkOf(text: string): { width: number; height: number; isInked: (x: number, y: number) => boolean } {
  const [width, height, size] = [640, 120, 50]
  const context = createCanvas(width, height).getContext('2d')
  context.lineWidth = 6
  strokeText(context, layOutText(text, 100), { x: width / 2, y: 40, size })
  const { data } = context.getImageData(0, 0, width, height)
  return { width, height, isInked: (x, y) => (data[(y * width + x) * 4 + 3] ?? 0) > 100 }
}

function pictureOf(character: string): string {
  const { width, height, isInked } = inkOf(character)
  let rows = ''
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x += 1) rows += isInked(x, y) ? '1' : '0'
  return rows
}

/** Counts the groups of adjacent columns with ink. */
function countPieces(text: string): number {
  const { width, height, isInked } = inkOf(text)
  let [count, isPreviousInked] = [0, false]
  for (let x = 0; x < width; x++) {
    let isColumnInked = false
    for (let y = 0; y < height && !isColumnInked; y++) isColumnInked = isInked(x, y)
    if (isColumnInked && !isPreviousInked) count++
    isPreviousInked = isColumnInked
  }
  return count
}

describe('lettering', () => {
  it.each(Array.from(plain + western + eastern + vietnamese))('the lettering has a glyph for %s', (letter) => {
    expect(canWrite(letter)).toBe(true)
    expect(pictureOf(letter)).toContain('1')
  })

  it('no two plain letters or digits have the same shape', () => {
    const letterByPicture = new Map(Array.from(plain, (letter) => [pictureOf(letter), letter]))
    expect(letterByPicture.size).toBe(plain.length)
  })

  it('a letter with a diacritic is drawn differently from the plain letter', () => {
    for (const letter of western + eastern) {
      const base = letter.normalize('NFD')[0] ?? ''
      if (base !== letter) expect(pictureOf(letter), letter).not.toBe(pictureOf(base))
    }
  })

  it('the lettering has no glyphs of other scripts', () => {
    for (const character of '世буש🦊') expect(glyphOf(character)).toBeUndefined()
  })

  it('drawn letters have a gap between them', () => {
    expect(countPieces('HTLE')).toBe(4)
    expect(countPieces('OPEN LATE')).toBe(8)
    expect(countPieces('night owl')).toBe(8)
  })

  it('a long text is broken into lines for a narrow box, and keeps its words', () => {
    expect(layOutText('The Last Summer of Ours', 2).lines.length).toBeGreaterThan(1)
    expect(layOutText('The Last Summer of Ours', 40).lines).toHaveLength(1)
    const { lines, width } = layOutText('one two three four five six', 3)
    expect(lines.map(({ text }) => text).join(' ')).toBe('one two three four five six')
    expect(width).toBe(Math.max(...lines.map((line) => line.width)))
  })
})
