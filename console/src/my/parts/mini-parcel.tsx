const bow =
  'M4 24C9 23.4 13.4 19.5 16 14C19.4 7 25 1.8 28.6 3.8C32.2 5.9 29.8 14 16 14C2.2 14-.2 5.9 3.4 3.8C7 1.8 12.6 7 16 14C18.6 19.5 23 23.4 28 24';

/** A gift in its wrapping. */
export function MiniParcel() {
  return (
    <span className="mini">
      <svg viewBox="0 0 32 26" aria-hidden="true">
        <path d={bow} />
      </svg>
    </span>
  );
}

/** A gift on the wire; what stays is a ring. */
export function Knot({ isEmpty = false }: { isEmpty?: boolean }) {
  return (
    <span className="knot">
      {!isEmpty && (
        <svg viewBox="0 0 32 26" aria-hidden="true">
          <path d={bow} />
        </svg>
      )}
    </span>
  );
}
