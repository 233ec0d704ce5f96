/** The contents of a release archive and its release notes. */

/**
 * The files and folders of a commit that Juntas needs to run, and its documentation. The archive also contains dist/,
 * the packages and Node.
 */
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

/** Excludes tests, as the container image does. */
export const isCarriedFile = (path: string): boolean => !path.endsWith('.test.ts')

/**
 * Returns the section of a version from the changelog, without its heading. Before that section exists, returns the
 * section Unreleased.
 * @param changelog the text of CHANGELOG.md @returns null if neither section exists
 */
export function readReleaseNotes(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const titled = (title: string) =>
    sections.find((section) => section.split('\n', 1)[0]?.replace(/[[\]]/g, '').split(' ')[0] === title)
  const found = titled(version) ?? titled('Unreleased')
  return found === undefined ? null : `${found.split('\n').slice(1).join('\n').trim()}\n`
}
