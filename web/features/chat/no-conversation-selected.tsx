import type { ReactNode } from 'react'
import { en, es } from '#contract/language.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

export function NoConversationSelected({ opener }: { opener: ReactNode }) {
  return (
    <>
      {opener && <div className="flex min-h-16 items-center px-2 md:min-h-18 md:px-6">{opener}</div>}
      <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto">
        <EmptyState title={en('Welcome to Chat', 'Te damos la bienvenida al chat')}>
          <p lang={es('es', 'en')} className="-mt-4 text-text-2">
            {es('Elige una conversación para empezar a chatear.', 'Choose a conversation to start chatting.')}
          </p>
        </EmptyState>
      </div>
    </>
  )
}
