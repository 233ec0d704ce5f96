export function TagPositionMarker({ x, y, name }: { x: number; y: number; name?: string }) {
  const isLow = y > 0.8
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute size-0"
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
    >
      <span className="absolute -top-2 -left-2 grid size-4 place-items-center rounded-full bg-brand shadow-over">
        <span className="size-1.5 rounded-full bg-on-overlay" />
      </span>
      {name && (
        <span
          className={`absolute w-max max-w-40 truncate rounded-full bg-overlay px-3 py-1.5 text-meta font-[640] text-on-overlay ${isLow ? 'bottom-4' : 'top-4'} ${x > 0.66 ? 'right-0' : x < 0.34 ? 'left-0' : '-translate-x-1/2'}`}
        >
          {name}
        </span>
      )}
    </span>
  )
}
