/** The archive also contains dist/, the packages and Node. */
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

/** The container image excludes tests too. */
export const isCarriedFile = (path: string): boolean => !path.endsWith('.test.ts')

/**
 * Returns the version's section, otherwise the section Unreleased.
 * @param changelog the text of CHANGELOG.md @returns null if neither section exists
 */
export function readReleaseNotes(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const titled = (title: string) =>
    sections.find((section) => section.split('\n', 1)[0]?.replace(/[[\]]/g, '').split(' ')[0] === title)
  const found = titled(version) ?? titled('Unreleased')
  return found === undefined ? null : `${found.split('\n').slice(1).join('\n').trim()}\n`
}
