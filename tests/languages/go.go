// Copyright: nobody in particular.

//go:build linux

// Package session gives out sessions
// and their tokens.
package session

import "fmt"

// Lifetime is how long a session lives, in seconds.
const Lifetime = 3_600

// States of a session.
const (
	// Alive is doc.
	Alive State = iota // trailing
	Dead
	low, high = 1, 2
)

var (
	// ErrGone says so.
	ErrGone = errors.New("gone")
	counter int
)

var table = map[string]int{
	"alpha": 1,
}

var hook = func(name string) error {
	var local = 1
	return nil
}

// Session belongs to someone.
type Session struct {
	// Owner is whose it is.
	Owner string `json:"owner"`
	token []byte // secret
}

// Store keeps values.
type Store[K comparable, V any] struct{ values map[K]V }

type (
	// State is what became of it.
	State int
	// Issuer gives out tokens.
	Issuer interface {
		fmt.Stringer
		// Issue issues one.
		Issue(forWhom string) (token []byte, err error)
	}
	alias = string
)

// New makes a session.
//
// It never fails.
func New[T any](
	owner string, // whose
	options ...func(*Session) T,
) (session *Session, err error) {
	type local struct{}
	return nil, nil
}

// Refresh refreshes.
//
//go:noinline
func (s *Session) Refresh(deep bool) error { return nil }

// Get looks a value up.
func (s Store[K, V]) Get(key K) (V, bool) {
	return s.values[key], true
}

func (Session) expire() {}

func external(a int) (b int)

/* Survivor is documented by a block. */
func survivor() {}

func broken(x int { return
