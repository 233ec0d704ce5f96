/** Writes the licences of the code and fonts that a browser receives, next to the web app. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { renderNotice } from '../docs/notice-page.ts'
import { projectRootPath } from '../run-tool.ts'
import { readLicenceText } from './locked-packages.ts'

/** @returns the folder of a module's package; undefined for the project's own code */
const folderOf = (module: string): string | undefined =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module.replaceAll('\\', '/'))?.[0]

/** @returns a plugin for the app, and one for its workers, which have their own bundles */
export function bundledLicencesPlugins(): { app: Plugin; worker: Plugin } {
  const folders = new Set<string>()
  const note = (modules: Iterable<string>) => {
    for (const module of modules) {
      const folder = folderOf(module)
      if (folder) folders.add(folder)
    }
  }
  return {
    worker: {
      name: 'bundled-licences-of-workers',
      apply: 'build',
      generateBundle() {
        note(this.getModuleIds())
      },
    },
    app: {
      name: 'bundled-licences',
      apply: 'build',
      generateBundle(_options, bundle) {
        note(this.getModuleIds())
        for (const part of Object.values(bundle))
          if (part.type === 'asset')
            note(part.originalFileNames.map((file) => join(projectRootPath, 'web', file)))
        this.emitFile({ type: 'asset', fileName: 'licences.txt', source: renderLicences([...folders]) })
      },
    },
  }
}

function renderLicences(folders: readonly string[]): string {
  const texts = folders.map(describePackage).sort()
  return `${renderNotice()}

LICENCE TEXTS OF WHAT A BROWSER RECEIVES

${texts.join(`\n${'-'.repeat(78)}\n\n`)}`
}

function describePackage(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version} (${license})\n\n${readLicenceText(folder) ?? `Licence: ${license}`}\n`
}
