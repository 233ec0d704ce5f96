import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestWorld } from '#tests/support/world.ts'

test('OPD-10 the pages and the manifest contain the community’s name, accent and logo', async () => {
  // `npm test` and `.ci/run` build the web.
  if (!existsSync(join(import.meta.dirname, '../../dist/web/index.html'))) return
  const w = await createTestWorld()
  const version = '0123456789abcdef'
  try {
    const page = async () => (await w.app.inject({ url: '/sign-in', headers: { accept: 'text/html' } })).body
    expect(await page()).not.toContain('data-community')
    await w.database.pool.query(
      `insert into community (name, accent) values ('Barro "y" <Luz>', 'sea')
       on conflict (only_row) do update set name = excluded.name, accent = excluded.accent`,
    )
    await w.database.pool.query('insert into community_logo (version, small, large) values ($1, $2, $2)', [
      version,
      Buffer.from('picture'),
    ])
    // A node shows a change made on another node within seconds.
    await expect.poll(page, { timeout: 60_000 }).toContain('data-community="Barro &quot;y&quot; &lt;Luz&gt;"')
    const html = await page()
    expect(html).toContain('data-accent="sea"')
    expect(html).toContain('<title>Barro &quot;y&quot; &lt;Luz&gt;</title>')
    expect(html).toContain('<noscript>Barro &quot;y&quot; &lt;Luz&gt; necesita JavaScript.')
    expect(html).not.toContain('Juntas')
    expect(html).toContain(`<link rel="icon" href="/v1/community/logo/${version}" type="image/png"`)
    const manifest = await w.app.inject({ url: '/manifest.webmanifest' })
    expect(manifest.headers['content-type']).toContain('application/manifest+json')
    expect(manifest.json()).toMatchObject({
      name: 'Barro "y" <Luz>',
      icons: [
        { src: `/v1/community/logo/${version}?size=192` },
        { src: `/v1/community/logo/${version}?size=512` },
      ],
    })
  } finally {
    await w.end()
  }
})
