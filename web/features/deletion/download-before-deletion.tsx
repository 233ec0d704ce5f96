import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { en } from '#contract/language.ts'
import { createQueryClient } from '#web/api/query-client.ts'
import { ExportBox } from '#web/features/data-export/export-box.tsx'

type Props = { asksForPassword: boolean; asksForCode: boolean }

/** The page is a visitor's, so this part brings the query client. */
export function DownloadBeforeDeletion({ asksForPassword, asksForCode }: Props) {
  const [client] = useState(() => createQueryClient())
  const factors = {
    code: asksForCode,
    password: asksForPassword,
    passkey: !asksForPassword && !asksForCode,
  }
  return (
    <QueryClientProvider client={client}>
      <div lang={en('en', 'es')}>
        <ExportBox closing={factors} />
      </div>
    </QueryClientProvider>
  )
}
