package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"broadside/internal/session"
)

// maxData is the maximum size of an order in bytes. The active node accepts far less.
const maxData = MaxPayload >> 1

// send sends an order to be carried out. A person's order fails if the active node is
// unreachable.
func (r *remote) send(ctx context.Context, action bool, data []byte) (answer []byte, err error) {
	if r.client.Program == nil {
		r.mu.Lock()
		attached, over := r.attached, r.err
		r.mu.Unlock()
		if over != nil || !attached {
			return nil, cmp.Or(over, errWaiting)
		}
		patient, cancel := context.WithTimeoutCause(ctx, actPatience, errWaiting)
		defer cancel()
		ctx = patient
	}
	return r.carryOut(ctx, action, data)
}

// carryOut sends orders one at a time. If the connection breaks or another node becomes
// active, it sends the order again with the same number. If ctx ends, the order may still
// be carried out.
func (r *remote) carryOut(ctx context.Context, action bool, data []byte) (answer []byte, err error) {
	if len(data) > maxData {
		return nil, fmt.Errorf("an action of %d bytes is too large", len(data))
	}
	select {
	case r.slot <- struct{}{}:
	case <-r.done:
		return nil, r.failed()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	reply := make(chan *incoming, 1)
	r.mu.Lock()
	r.order = frame{kind: kindAct, session: r.number, number: r.order.number + 1, payload: data}
	r.reply, r.action = reply, action
	r.sendLocked()
	r.mu.Unlock()
	select {
	case m := <-reply:
		return m.Answer, session.DecodeError(m.Err)
	case <-r.done:
		return nil, r.failed()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Do implements [session.Session].
func (r *remote) Do(ctx context.Context, a session.Action) error {
	data, err := session.Encode(a)
	if err != nil {
		return err
	}
	// Another active node must know the player's state before the action.
	if err := r.awaitOpening(ctx); err != nil {
		return err
	}
	r.mu.Lock()
	before := r.state.Offer
	r.mu.Unlock()
	_, err = r.send(ctx, true, data)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch a := a.(type) {
	case session.DoNotDisturb:
		r.had.DoNotDisturb = a.On
	case session.ShowFeatured:
		r.had.ShowsFeatured = a.On
	}
	if r.state.Offer != before {
		r.seeking = data
	}
	return err
}

// Answer implements [session.Session].
func (r *remote) Answer(ctx context.Context, query, answer any, _ func(*session.Local) error) error {
	data, err := session.Encode(query)
	if err != nil {
		return err
	}
	got, err := r.send(ctx, false, data)
	if len(got) > 0 {
		if wrong := json.Unmarshal(got, answer); wrong != nil {
			return wrong
		}
	}
	return err
}

// SaveSettings implements [session.Session].
func (r *remote) SaveSettings(settings session.Settings) <-chan error {
	result := make(chan error, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unsaved, r.had.DoNotDisturb = &settings, settings.DoNotDisturb
	r.keeping.Go(func() { result <- r.save() })
	return result
}

// save stores the newest settings, unless a call that waited for an earlier save has
// stored them.
func (r *remote) save() error {
	r.saving.Lock()
	defer r.saving.Unlock()
	r.mu.Lock()
	settings := r.unsaved
	r.unsaved = nil
	r.mu.Unlock()
	if settings != nil {
		var data []byte
		if data, r.saved = session.Encode(session.StoreSettings{Settings: *settings}); r.saved == nil {
			_, r.saved = r.carryOut(r.ctx, true, data)
		}
	}
	return r.saved
}
