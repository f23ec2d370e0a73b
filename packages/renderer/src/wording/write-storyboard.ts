import { hashText } from '../picture/random.ts'
import type { TimeOfDay } from '../scenes/prompt/scene-brief.ts'
import { cameraMoves, lightPhrase, placePhrases } from './phrases.ts'
import { readWording, type Wording } from './wording.ts'
import { trimEnd } from './trim-end.ts'

const openingFraming = 'Wide establishing shot'
const closingFraming = 'Wide closing shot'
const middleFramings = [
  'Medium shot',
  'Close-up with shallow focus',
  'Tracking shot from the side',
  'Low-angle shot',
  'Shot from behind',
  'Close shot of a detail',
  'Full-length shot',
] as const

const timesOfDay: readonly TimeOfDay[] = ['dawn', 'day', 'dusk', 'night']
const secondsMin = 3
const secondsMax = 8

/**
 * Divides an idea into shots, one line each: number, seconds, framing, light, the idea and a camera
 * move. Each line repeats the idea, because a video model gets one line at a time. Outdoors, the
 * time of day advances from shot to shot, unless the idea names a time. The result is
 * deterministic.
 */
export function writeStoryboard(prompt: string, shots: number): string {
  const wording = readWording(prompt)
  const idea = trimEnd(wording.text, '.,;:。，；：、')
  const hash = hashText(`${shots} ${wording.text}`)
  return Array.from({ length: shots }, (_, index) => {
    const shotHash = hashText(`${index}`, hash)
    const seconds = secondsMin + (shotHash % (secondsMax - secondsMin + 1))
    const light = lightAt(wording, index / Math.max(1, shots - 1))
    const shot = [framingAt(index, shots, hash), ...light].join(', ')
    const scene = [idea, ...placeOf(wording)].join(', ')
    return `${index + 1}. (${seconds} s) ${shot}: ${scene}; ${cameraMoves[shotHash % cameraMoves.length]}.`
  }).join('\n')
}

function framingAt(index: number, shots: number, hash: number): string {
  if (index === 0) return openingFraming
  return index === shots - 1 ? closingFraming : (middleFramings[(index + hash) % middleFramings.length] ?? openingFraming)
}

/** "Day" as a duration or a calendar day, not as a time of day. */
const calendarDayPattern = /\b(?:one|a|all|whole|every|each|first|last) day\b/gi

/**
 * Returns a phrase for the light, or none if the idea already determines it. `storyShare` is the
 * position in the story, from 0 to 1. The phrase is put before the idea, because the renderer draws
 * the first of several times of day.
 */
function lightAt({ text, brief: { place, time }, named }: Wording, storyShare: number): string[] {
  if (named.has('time')) {
    const textWithoutDays = text.replaceAll(calendarDayPattern, ' ')
    if (textWithoutDays === text) return []
    const { named: namedWithoutDays, brief } = readWording(textWithoutDays)
    if (namedWithoutDays.has('time')) return [lightPhrase(place, brief.time)]
  }
  const isOutside = timesOfDay.every((time) => lightPhrase(place, time) === lightPhrase('lake', time))
  const shotTime = isOutside
    ? (timesOfDay[Math.min(timesOfDay.length - 1, Math.floor(storyShare * timesOfDay.length))] ?? time)
    : time
  return [lightPhrase(place, shotTime)]
}

function placeOf({ brief: { place }, named }: Wording): string[] {
  return named.has('place') || named.size === 0 ? [] : [placePhrases[place]]
}
