/**
 * Whether a name is unsafe as a property: every object has a property with this name, such as
 * `constructor` or `toString`, or assigning it could change a prototype. Such names must not be
 * accepted from outside.
 */
export function isPrototypeName(name: string): boolean {
  return name === 'prototype' || name in Object.prototype
}
