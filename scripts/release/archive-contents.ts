/** The contents of a release archive, and its release notes. */

/** Files and folders of a commit that run or describe Juntas. dist/, packages and Node come beside them. */
export const carriedPaths = [
  '.env.example',
  '.npmrc',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'api-client',
  'contract',
  'deploy',
  'docs',
  'juntas',
  'package-lock.json',
  'package.json',
  'scripts',
  'server',
]

/** Tests and their fixtures stay out, as from the image. */
export const isCarriedFile = (path: string): boolean => !path.endsWith('.test.ts')

/**
 * Takes a version's section of the changelog, without its heading; until it has one, that of Unreleased.
 * @param changelog the text of CHANGELOG.md @returns null if neither exists
 */
export function readReleaseNotes(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const titled = (title: string) =>
    sections.find((section) => section.split('\n', 1)[0]?.replace(/[[\]]/g, '').split(' ')[0] === title)
  const found = titled(version) ?? titled('Unreleased')
  return found === undefined ? null : `${found.split('\n').slice(1).join('\n').trim()}\n`
}
