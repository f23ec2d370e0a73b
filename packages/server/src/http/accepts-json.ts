/** Whether an Accept header lets us answer JSON (RFC 9110, section 12.5.1): the most specific range decides, unless its q is 0. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json' || accept.trim() === '') return true
  let bestSpecificity = 0
  let accepted = false
  for (const entry of accept.split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const specificity = ranges.indexOf(range) + 1
    if (specificity === 0 || specificity < bestSpecificity) continue
    const isWanted = !parameters.some((parameter) => zeroQualityPattern.test(parameter))
    accepted = specificity > bestSpecificity ? isWanted : accepted || isWanted
    bestSpecificity = specificity
  }
  return accepted
}

/** Ranges that JSON falls under, the more specific the later. */
const ranges = ['*/*', 'application/*', 'application/json']
const zeroQualityPattern = /^q\s*=\s*0(\.0{0,3})?$/
