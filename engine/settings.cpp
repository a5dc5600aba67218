#include "sluice/scene.h"

namespace sluice {

SolverSettings paper_settings() {
  SolverSettings s;
  s.mode = SolverMode::paper;
  s.relaxation_fluid = s.relaxation_rigid = 0.5;  // nu [eq. 4.4, 4.6]
  s.contact_scale = ContactScale::own_body;
  s.friction_update = FrictionUpdate::target;
  s.contact_weights = false;
  s.slip = Slip::sample;
  s.warm_start_fluid = s.warm_start_rigid = s.load_sharing = 0;
  s.overlap_speed = 0;
  s.min_iterations_contact = 20;  // with fewer a box slides that friction should hold
  return s;
}

}  // namespace sluice
