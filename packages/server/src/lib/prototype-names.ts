/**
 * Whether a name is unsafe as a property: every object has a property of this name, such as
 * `constructor` or `toString`, or an assignment to the property could change a prototype. The
 * service must not accept such a name from outside.
 */
export function isPrototypeName(name: string): boolean {
  return name === 'prototype' || name in Object.prototype
}
