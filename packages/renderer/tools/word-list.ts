import type { Meaning } from '../src/scenes/prompt/vocabulary.ts'

const headings: Partial<Record<Meaning['kind'], string>> = {
  place: 'Places',
  time: 'Time of day',
  weather: 'Weather',
  style: 'Styles: watercolour, oil, cut paper, minimal, ink, black and white, film, neon, pixel art',
  subject: 'Subjects',
  colour: 'Colours, of the nearest subject or of the whole picture',
  count: 'How many',
  air: 'What fills the air',
  motion: 'What subjects do',
  riding: 'Who sits on what can be ridden',
  setting: 'Kinds of places',
  sight: 'Sights',
  part: 'Parts of a scene that keep the colour before them',
  garment: 'Garments, whose colour a person wears',
  extra: 'Details',
  group: 'Many kinds at once, in a negative prompt',
  condition: 'What happens to a subject: it burns, is ruined, breathes fire, leaps out of the water',
}

/** Generates the page about the embedded driver's vocabulary from the vocabulary itself. */
export function wordList(vocabulary: ReadonlyMap<string, readonly Meaning[]>): string {
  const kinds = new Map<string, Map<string, string[]>>()
  for (const [word, meanings] of vocabulary) {
    for (const { kind, ...value } of meanings) {
      const rows = kinds.get(kind) ?? new Map<string, string[]>()
      const name = JSON.stringify(value)
      rows.set(name, [...(rows.get(name) ?? []), word])
      kinds.set(kind, rows)
    }
  }
  const sections = [...kinds].map(([kind, rows]) => {
    const heading = headings[kind as Meaning['kind']] ?? kind[0]?.toUpperCase() + kind.slice(1)
    return `### ${heading}\n\n${[...rows.values()].map((words) => `- ${words.join(', ')}`).join('\n')}\n`
  })
  return `${introduction}\n${sections.join('\n')}`
}

const introduction = `# What the embedded driver understands

The embedded driver needs no graphics card, keys or weights: it draws. It looks for the words below in the prompt, English in
the singular or plural and the common Chinese ones, and composes a scene of them: a place at a time of day in some weather, with
subjects, colours and light. It does not read sentences. A prompt in which it knows no word becomes a still life, never
an error; words that it does not know change nothing but the small variations.

- **Variations**: another \`seed\` is another view of the same scene. The same request gives the same bytes on the same machine.
- **Text in quotation marks** is drawn: as a neon sign where the prompt says "neon", as a painted board where it names something that carries
  writing (sign, shop, banner), as a caption after "says", and else as a title. Up to 48 characters with any Latin letters and marks; characters
  of other scripts are left out, a longer text is read as part of the prompt. The quoted words name nothing else of the scene, and
  another text leaves the rest of the picture as it is.
- **Food, drinks and products** lie on a table in the place that the prompt names, or before a plain wall; products stand on a podium. Ball games
  have a stadium or hall of their own. A logo is a mark on a plain page, with what the prompt names in a ring.
- **Styles** are for the whole picture, one at a time: the first that is named. Brush strokes and paper keep their places while
  the scene moves beneath them. Given frames and references stay as they are.
- **\`negative_prompt\`** takes away what it names: "birds", "fox", "rain".
- **\`first_frame\`** becomes a camera move into the picture, with depth: what stands in front of a backdrop, and the ground, come nearer.
  The first frame is the picture itself. "Pan left", "tilt up" and the like choose the way, "static camera" leaves a breath.
- **\`first_frame\` and \`last_frame\`**: the film starts on the one and ends on the other. Where both show the same thing, moved, nearer or in
  another light, the one turns into the other; else the one makes way for the other in a bank of mist.
- **\`last_frame\` alone**: the camera move runs backwards and ends on the picture.
- **\`reference_images\`** hang as prints in the scene, in the sky or, when what the prompt names is high, in the foreground: a few at a
  time, each to be seen for a while also when there are ten in three seconds; in an image all together. Together with \`first_frame\`
  and \`last_frame\` those lead the film, and the references appear in between.
- **\`audio\`** adds an ambience that fits the scene: wind, rain, waves, a night, a city; at -20 LUFS in every film.
- **\`watermark\`** adds a small plate with the logo and name of the account's [brand](brands.md#what-its-clients-see) in the lower right corner.

Providers understand far more; a prompt written for them works here too, as a sketch.

## The words
`
